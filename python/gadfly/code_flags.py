"""The flags of code that matter here. `inspect` has them, too, but would be one more module in the program."""

OPTIMIZED, VARARGS, VARKEYWORDS = 0x1, 0x4, 0x8
GENERATOR, COROUTINE, ASYNC_GENERATOR = 0x20, 0x80, 0x200
# Its call gives something that is yet to run.
SUSPENDED = GENERATOR | COROUTINE | ASYNC_GENERATOR
# How a copy of the process ends that could tell, but not for sure.
AGAIN = 77
