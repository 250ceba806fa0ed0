"""What the random programs of `programs.py` stand on: the few things they cannot do alone, or must not do visibly.

A program gets these names among its globals. None of them is the program's own code, so no recorder shows their calls. A
recorder that cannot see something by itself (what is sent into a generator, for instance) is told through `listener`; in a run
that nobody listens to, these functions do nothing but their work."""
import threading

# What the program told of itself: deaths, callbacks, results. It is the program's output.
log = []
# The same of objects that the collector found by itself: when it does is nobody's promise, so the order does not count.
collected = []
# The same of keys that the interpreter has compared with names. How often it does depends on how far it has optimized the code, and it
# optimizes less while somebody traces: this does not count in a run that is traced.
compared = []


class Listener:
    """Hears what only the stage knows. This one does not care."""

    def generator(self, function):
        """A generator function or a coroutine function is defined; gives what to call instead of it."""
        return function

    def sending(self, value):
        """The generator that goes on next was sent a value."""

    def throwing(self, exception):
        """The same of an exception."""

    def given(self):
        """It has gone on, or has refused to."""

    def thread_begins(self):
        """In a new thread, before the program's code runs in it."""

    def thread_ends(self):
        """In the same thread, when no more of the program's code runs in it."""


listener = Listener()


def note(*words):
    """The program says something. Words are numbers and strings of the library's own types."""
    log.append(" ".join(str(word) for word in words))


def note_collected(*words):
    """The same, of something whose moment is not determined."""
    collected.append(" ".join(str(word) for word in words))


def note_compared(*words):
    """The same, of what the interpreter did for itself."""
    compared.append(" ".join(str(word) for word in words))


def generator(function):
    """Stands above every generator function and coroutine function of a program."""
    return listener.generator(function)


def send(generator, value):
    listener.sending(value)
    try:
        return generator.send(value)
    finally:
        listener.given()


def throw(generator, exception):
    listener.throwing(exception)
    try:
        return generator.throw(exception)
    finally:
        listener.given()


class Pause:
    """What a coroutine can await: it waits, and gets what it is sent."""

    def __await__(self):
        return (yield)


class Partner:
    """A thread that takes turns with the one that made it: exactly one of the two runs at any moment.

    It runs from its beginning until it calls `hand_over`, or ends; then its maker goes on, until `go_on` lets it run again."""

    running = threading.local()

    def __init__(self, function, *arguments):
        self.turns = threading.Semaphore(0), threading.Semaphore(0)
        self.is_over = False
        self.thread = threading.Thread(target=self.run, args=(function, arguments))
        self.thread.start()
        self.wait()

    def run(self, function, arguments):
        Partner.running.partner = self
        listener.thread_begins()
        try:
            function(*arguments)
        except BaseException as raised:
            note("a thread raised", type(raised).__name__)
        finally:
            listener.thread_ends()
            self.is_over = True
            Partner.running.partner = None
            self.turns[0].release()

    def wait(self):
        self.turns[0].acquire()
        if self.is_over:
            self.thread.join()

    def go_on(self):
        if not self.is_over:
            self.turns[1].release()
            self.wait()

    def finish(self):
        while not self.is_over:
            self.go_on()


def hand_over():
    """Lets the other thread run, if this one is a partner; else nothing."""
    partner = getattr(Partner.running, "partner", None)
    if partner is not None:
        partner.turns[0].release()
        partner.turns[1].acquire()


def in_thread(function, *arguments):
    """Calls a function in another thread, and waits until that is over."""
    Partner(function, *arguments).finish()


NAMES = (note, note_collected, note_compared, generator, send, throw, Pause, Partner, hand_over, in_thread)


def globals_for(name):
    """The variables that a program begins with."""
    return {"__name__": name, "__builtins__": __builtins__, **{one.__name__: one for one in NAMES}}


# What makes a program run without the stage, and shows the same: for reading and for trying out.
ALONE = '''\
import threading

def note(*words): print(*words)
note_collected = note_compared = note
def generator(function): return function
def send(generator, value): return generator.send(value)
def throw(generator, exception): return generator.throw(exception)
def hand_over(): pass
class Pause:
    def __await__(self): return (yield)
class Partner:
    def __init__(self, function, *arguments):
        thread = threading.Thread(target=function, args=arguments); thread.start(); thread.join()
    def go_on(self): pass
    finish = go_on
in_thread = Partner
'''
