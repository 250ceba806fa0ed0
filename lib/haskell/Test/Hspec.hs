-- | Specifications by examples, as the package @hspec@ has them, without
-- examples that are given something.
module Test.Hspec
  ( Spec, SpecWith, SpecM, Example
  , describe, context, it, specify, xdescribe, xcontext, xit, xspecify, focus, example
  , pending, pendingWith, parallel, sequential, runIO, before_, after_, around_
  , hspec
  , Expectation, expectationFailure, shouldBe, shouldNotBe, shouldSatisfy, shouldNotSatisfy
  , shouldStartWith, shouldEndWith, shouldContain, shouldNotContain, shouldMatchList, shouldReturn, shouldNotReturn
  , shouldThrow, Selector, anyException, anyErrorCall, errorCall, anyIOException, anyArithException
  ) where

import Gadfly.Spec

hspec :: Spec -> IO ()
hspec = runSpec False
