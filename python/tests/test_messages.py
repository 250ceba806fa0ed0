"""The messages to and from the binary: the golden file has every one of them, and what is read is what is written."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

from gadfly import job, messages

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "messages.jsonl")


class Golden(unittest.TestCase):
    def setUp(self):
        with open(GOLDEN, encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.jobs = [line for line in lines if json.loads(line)["type"] == "job"]
        self.lines = [line for line in lines if line not in self.jobs]

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

    def test_every_job_is_read_and_written(self):
        for line in self.jobs:
            self.assertEqual(json.loads(job.parse(line).line()), json.loads(line))
        self.assertEqual({json.loads(line)["task"]["type"] for line in self.jobs}, set(job.TASKS))

    def test_the_version_comes_first(self):
        self.assertEqual(messages.read(self.lines[0]), messages.Hello(messages.VERSION))

    def test_what_is_no_message_is_refused(self):
        for line in ("[]", '{"type": "dance"}', '{"type": "go-to"}', '{"type": "go-to", "call": 1, "limit_seconds": 1, "more": 1}'):
            with self.assertRaises(ValueError):
                messages.read(line)
        with self.assertRaises(ValueError):
            messages.read_request('{"type": "hello", "version": 1}')


class Jobs(unittest.TestCase):
    """What a process says before it runs a program."""

    def run_script(self, **changed):
        with tempfile.TemporaryDirectory() as folder:
            script, place = os.path.join(folder, "shown.py"), os.path.join(folder, "job.json")
            with open(script, "w") as out:
                out.write("import os\nprint('GADFLY_JOB' in os.environ)\n")
            with open(os.path.join(folder, "bad.py"), "w") as out:
                out.write("def f(:\n")
            given = {**job.Job(job.RecordTask(os.path.join(folder, "run.trail"))).fields(), **changed}
            with open(place, "w") as out:
                json.dump(given, out)
            ran = subprocess.run([sys.executable, "-m", "gadfly.run_script", script], env={**os.environ, "GADFLY_JOB": place}, cwd=folder,
                                 capture_output=True, text=True)
            with open(place + ".reply") as replies:
                return ran.returncode, ran.stdout, [messages.read(line) for line in replies]

    def test_the_program_does_not_see_its_job(self):
        self.assertEqual(self.run_script(), (0, "False\n", [messages.Hello()]))

    def test_a_job_of_another_version_is_not_begun(self):
        self.assertEqual(self.run_script(version=messages.VERSION + 1, more=1), (2, "", [messages.Hello()]))

    def test_a_reference_has_to_be_valid(self):
        status, printed, (_, failed) = self.run_script(references=["bad.py"])
        self.assertEqual((status, printed, failed.failure), (2, "", messages.BAD_REFERENCE))
        self.assertTrue(failed.detail.startswith("bad.py, line 1: "), failed)


if __name__ == "__main__":
    unittest.main()
