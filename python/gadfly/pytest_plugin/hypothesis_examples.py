"""Tests that hypothesis makes up examples for: every example is a run of its own, and the last one that fails counts, since it is the
smallest.

When the test is run again, that example is known by what it is made of, wherever it comes in the order: hypothesis begins with
examples that failed before. Where this does not tell examples apart, it is known by its number."""
import functools
import json
import re
import sys

ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def is_made_up(item):
    """Whether a test of pytest is one that hypothesis makes up examples for."""
    handle = getattr(getattr(item, "obj", None), "hypothesis", None)
    return "hypothesis" in sys.modules and callable(getattr(handle, "inner_test", None))


def is_failure(error):
    """Whether an exception means that an example failed, rather than that hypothesis wants another one."""
    return not type(error).__module__.partition(".")[0] == "hypothesis"


class Examples:
    """The examples of a test; `wanted` is the text of the one that is looked for when the test is run again."""

    def __init__(self, item, seed, around, wanted=None):
        self.handle, self.around = item.obj.hypothesis, around
        self.test = getattr(item.obj, "__func__", item.obj)
        self.inner = self.handle.inner_test
        self.wanted = json.loads(wanted) if wanted else None
        self.seed = self.wanted["seed"] if self.wanted else seed
        self.number = 0
        # How many examples look like this, and which of them were found to fail.
        self.alike = {}
        self.failed = None

    def __enter__(self):
        from hypothesis import settings
        inner, kept = self.inner, {}

        @functools.wraps(inner)
        def example(*arguments, **keywords):
            self.number += 1
            return self.around(self, self.text(arguments, keywords), lambda: inner(*arguments, **keywords))

        # Recording takes time, which is not the test's.
        usual = getattr(self.test, "_hypothesis_internal_use_settings", None) or settings.default
        changed = {"_hypothesis_internal_use_settings": settings(usual, deadline=None)}
        if getattr(self.test, "_hypothesis_internal_use_seed", None) is None:
            changed["_hypothesis_internal_use_seed"] = self.seed
        for name, value in changed.items():
            kept[name] = getattr(self.test, name, None)
            setattr(self.test, name, value)
        self.handle.inner_test = example
        self.kept = kept
        return self

    def __exit__(self, *_):
        self.handle.inner_test = self.inner
        for name, value in self.kept.items():
            setattr(self.test, name, value)

    def text(self, arguments, keywords):
        """What an example is made of."""
        try:
            return ADDRESS.sub("", repr((arguments, keywords)))
        except Exception:
            return ""

    def is_wanted(self, text):
        return self.number == self.wanted["number"] if self.wanted["text"] is None else text == self.wanted["text"]

    def passes(self, text):
        self.alike[text] = self.alike.get(text, 0) + 1

    def fails(self, text):
        self.failed = self.number, text

    def recipe(self):
        """What is needed to find the example again that failed last."""
        number, text = self.failed
        return json.dumps({"seed": self.seed, "number": number, "text": None if self.alike.get(text) else text})
