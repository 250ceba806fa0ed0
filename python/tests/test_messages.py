"""The messages to and from the binary: the golden file has every one of them, and what is read is what is written."""
import json
import os
import unittest

from gadfly import messages

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "messages.jsonl")


class Golden(unittest.TestCase):
    def setUp(self):
        with open(GOLDEN, encoding="utf-8") as file:
            self.lines = file.read().splitlines()

    def test_every_line_is_read_and_written(self):
        for line in self.lines:
            message = messages.read(line)
            self.assertEqual(json.loads(message.line()), json.loads(line))
            self.assertEqual(messages.read(message.line()), message)

    def test_every_message_is_there(self):
        kinds = {json.loads(line)["type"] for line in self.lines}
        self.assertEqual(kinds, set(messages.KNOWN))

    def test_every_failure_is_there(self):
        failures = {getattr(messages, name) for name in (
            "TIMED_OUT", "DOES_NOT_FIT", "CANNOT_SWAP", "OTHER_PARAMETERS", "WAITS_FOR_OTHERS", "OTHER_RUN", "NO_COUNTERPART", "BAD_REFERENCE",
            "NOT_REPEATABLE", "SAYS_NOTHING", "CRASHED")}
        self.assertEqual({json.loads(line).get("failure") for line in self.lines} - {None}, failures)

    def test_the_version_comes_first(self):
        self.assertEqual(messages.read(self.lines[0]), messages.Hello(messages.VERSION))

    def test_what_is_no_message_is_refused(self):
        for line in ("[]", '{"type": "dance"}', '{"type": "go-to"}', '{"type": "go-to", "call": 1, "limit_seconds": 1, "more": 1}'):
            with self.assertRaises(ValueError):
                messages.read(line)
        with self.assertRaises(ValueError):
            messages.read_request('{"type": "hello", "version": 1}')


if __name__ == "__main__":
    unittest.main()
