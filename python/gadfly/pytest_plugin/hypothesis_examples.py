"""Tests that hypothesis makes up examples for: every example is a run of its own, and the last one that fails counts, since it is the
smallest.

When the test is run again, that example is known by what it is made of, wherever it comes in the order: hypothesis begins with
examples that failed before. Where this does not tell examples apart, it is known by its number."""

import functools
import re
import sys

from gadfly.job import ExampleToFind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from gadfly._types import Value

ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def is_made_up(item: "Any") -> bool:
    """Whether a test of pytest is one that hypothesis makes up examples for."""
    handle = getattr(getattr(item, "obj", None), "hypothesis", None)
    return "hypothesis" in sys.modules and callable(getattr(handle, "inner_test", None))


def is_failure(error: BaseException) -> bool:
    """Whether an exception means that an example failed, rather than that hypothesis wants another one."""
    return not type(error).__module__.partition(".")[0] == "hypothesis"


class Examples:
    """The examples of a test; `wanted` is the one that is looked for when the test is run again."""

    def __init__(
        self, item: "Any", seed: int, around: "Callable[[Examples, str, Callable[[], Any]], Any]", wanted: "ExampleToFind | None" = None
    ) -> None:
        self.handle, self.around = item.obj.hypothesis, around
        self.test = getattr(item.obj, "__func__", item.obj)
        self.inner = self.handle.inner_test
        self.wanted = wanted
        self.seed = wanted.seed if wanted else seed
        self.number = 0
        # How many examples look like this, and which of them were found to fail.
        self.alike: dict[Any, Any] = {}
        self.failed: tuple[int, str] | None = None

    def __enter__(self) -> "Any":
        from hypothesis import settings

        inner, kept = self.inner, {}

        @functools.wraps(inner)
        def example(*arguments: "Any", **keywords: "Any") -> "Any":
            self.number += 1
            return self.around(self, self.text(arguments, keywords), lambda: inner(*arguments, **keywords))

        # Recording takes time, which is not the test's.
        usual = getattr(self.test, "_hypothesis_internal_use_settings", None) or settings.default
        changed: dict[str, Any] = {"_hypothesis_internal_use_settings": settings(usual, deadline=None)}
        if getattr(self.test, "_hypothesis_internal_use_seed", None) is None:
            changed["_hypothesis_internal_use_seed"] = self.seed
        for name, value in changed.items():
            kept[name] = getattr(self.test, name, None)
            setattr(self.test, name, value)
        self.handle.inner_test = example
        self.kept = kept
        return self

    def __exit__(self, *_: object) -> None:
        self.handle.inner_test = self.inner
        for name, value in self.kept.items():
            setattr(self.test, name, value)

    def text(self, arguments: "tuple[Value, ...]", keywords: "dict[str, Value]") -> "Any":
        """What an example is made of."""
        try:
            return ADDRESS.sub("", repr((arguments, keywords)))
        except Exception:
            return ""

    def is_wanted(self, text: str) -> bool:
        assert self.wanted is not None
        return self.number == self.wanted.number if self.wanted.text is None else text == self.wanted.text

    def passes(self, text: str) -> None:
        self.alike[text] = self.alike.get(text, 0) + 1

    def fails(self, text: str) -> None:
        self.failed = self.number, text

    def to_find(self) -> "Any":
        """What is needed to find the example again that failed last."""
        assert self.failed is not None
        number, text = self.failed
        return ExampleToFind(self.seed, number, None if self.alike.get(text) else text)
