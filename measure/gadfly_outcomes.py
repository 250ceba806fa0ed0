"""A plugin for pytest: writes what became of each test into the file that GADFLY_OUTCOMES names, a line of JSON at a time, so that a run
that crashes shows which test it was in.

Lines: `{"begins": TEST}`, then for each part of it that has something to say `{"test", "outcome", "reason"}`. What ends says nothing
more; the last line of a run that came to its end is `{"ends": STATUS}`."""
import json
import os

# It stays in the environment: `pytest --gadfly` starts itself anew.
FILE = os.environ.get("GADFLY_OUTCOMES")
# Only the process that pytest was started in writes: forked ones inherit the file.
WRITER = os.getpid()
REASON_LENGTH = 300


def say(line):
    if FILE is None or os.getpid() != WRITER:
        return
    # Opened each time: tests close files that they do not know, and some replace the file system.
    number = OPEN(FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        WRITE(number, (DUMPS(line) + "\n").encode("utf-8", "backslashreplace"))
    finally:
        CLOSE(number)


# As they are before any test puts others in their place.
OPEN, WRITE, CLOSE, DUMPS = os.open, os.write, os.close, json.dumps


def pytest_runtest_logstart(nodeid):
    say({"begins": nodeid})


def pytest_runtest_logreport(report):
    outcome = outcome_of(report)
    if outcome is not None:
        say({"test": report.nodeid, "outcome": outcome, "reason": reason_of(report)})


def pytest_collectreport(report):
    if report.failed:
        say({"test": report.nodeid, "outcome": "not collected", "reason": reason_of(report)})


def pytest_sessionfinish(exitstatus):
    say({"ends": int(exitstatus)})


def outcome_of(report):
    """What a part of a test came to, if that is worth a line: preparing and cleaning up are only if they fail, or skip the test."""
    if hasattr(report, "wasxfail") and report.when == "call":
        return "xfailed" if report.skipped else "xpassed"
    if report.when == "call":
        return report.outcome
    if report.failed:
        return "error"
    return "skipped" if report.skipped else None


def reason_of(report):
    longrepr = report.longrepr
    if longrepr is None:
        return ""
    if isinstance(longrepr, tuple):
        return str(longrepr[2])[:REASON_LENGTH]
    crash = getattr(longrepr, "reprcrash", None)
    text = crash.message if crash is not None else str(longrepr)[-REASON_LENGTH:]
    return text[:REASON_LENGTH]
