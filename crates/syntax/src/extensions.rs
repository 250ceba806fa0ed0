//! Language extensions: which ones the parser reads, and the diagnostics for the others.

use gadfly_source::{Diagnostic, Span};

use crate::names::{Interner, Symbol};
use crate::report::Report;

/// The extensions whose syntax the parser always accepts, or that do not affect parsing.
const SUPPORTED: &[&str] = &[
    "AllowAmbiguousTypes",
    "BangPatterns",
    "BinaryLiterals",
    "BlockArguments",
    "ConstrainedClassMethods",
    "ConstraintKinds",
    "DataKinds",
    "DatatypeContexts",
    "DeriveAnyClass",
    "DeriveFoldable",
    "DeriveFunctor",
    "DeriveGeneric",
    "DeriveTraversable",
    "DerivingStrategies",
    "DerivingVia",
    "DoAndIfThenElse",
    "EmptyCase",
    "EmptyDataDecls",
    "EmptyDataDeriving",
    "ExistentialQuantification",
    "ExplicitForAll",
    "ExplicitNamespaces",
    "FlexibleContexts",
    "FlexibleInstances",
    "FunctionalDependencies",
    "GADTSyntax",
    "GADTs",
    "GeneralisedNewtypeDeriving",
    "GeneralizedNewtypeDeriving",
    "Haskell2010",
    "Haskell98",
    "ImplicitPrelude",
    "ImportQualifiedPost",
    "IncoherentInstances",
    "InstanceSigs",
    "KindSignatures",
    "LambdaCase",
    "LiberalTypeSynonyms",
    "MonoLocalBinds",
    "MonomorphismRestriction",
    "MultiParamTypeClasses",
    "MultiWayIf",
    "NamedFieldPuns",
    "NondecreasingIndentation",
    "NullaryTypeClasses",
    "NumericUnderscores",
    "OverlappingInstances",
    "OverloadedStrings",
    "PackageImports",
    "ParallelListComp",
    "PatternGuards",
    "PolyKinds",
    "PolymorphicComponents",
    "PostfixOperators",
    "Rank2Types",
    "RankNTypes",
    "RecordPuns",
    "RecordWildCards",
    "RelaxedPolyRec",
    "RoleAnnotations",
    "Safe",
    "ScopedTypeVariables",
    "StandaloneDeriving",
    "StandaloneKindSignatures",
    "StarIsType",
    "StrictData",
    "TraditionalRecordSyntax",
    "Trustworthy",
    "TupleSections",
    "TypeApplications",
    "TypeInType",
    "TypeOperators",
    "TypeSynonymInstances",
    "UndecidableInstances",
    "UndecidableSuperClasses",
    "UnicodeSyntax",
    "Unsafe",
    "ViewPatterns",
    // Of Curry systems.
    "AnonFreeVars",
    "DefaultRules",
    "FunctionalPatterns",
];

/// Warns about the extensions that are not supported.
pub(crate) fn check(extensions: &[(Symbol, Span)], interner: &Interner, report: &mut Report) {
    for &(extension, span) in extensions {
        let name = interner.text(extension);
        // Switching an extension off does not change what the parser accepts.
        if SUPPORTED.contains(&name) || name.strip_prefix("No").is_some_and(|rest| SUPPORTED.contains(&rest))
        {
            continue;
        }
        report.add(|_| {
            Diagnostic::warning(format!("the extension `{name}` is not supported"))
                .at(span, "ignored")
                .with_hint(
                    "What needs it may be rejected below; the guide lists the extensions that are supported.",
                )
        });
    }
}
