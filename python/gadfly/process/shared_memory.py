"""Memory that the program shares with other processes: each copy of the process gets its own.

Semaphores of `multiprocessing` are such memory. A copy is made while the program holds a lock, and the original waits at that place for
ever: without this, a copy that wants the lock would wait as long. What a copy writes to `multiprocessing.Value` no other copy may see."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Where the system has it, and as much as is copied.
PLACE = "/dev/shm/"
LARGEST = 1 << 26


def is_possible() -> bool:
    """Whether the program may have such memory."""
    return "_multiprocessing" in sys.modules or "_posixshmem" in sys.modules


def make_private() -> None:
    """Has this process go on with a copy of what it shares, at the same place."""
    if not is_possible():
        return
    shared = list(mappings())
    if not shared:
        return
    import ctypes
    import mmap

    library = ctypes.CDLL(None, use_errno=True)
    library.mmap.restype = ctypes.c_void_p
    library.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    FIXED = 0x10
    for start, length in shared:
        content = ctypes.string_at(start, length)
        made = library.mmap(start, length, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | FIXED, -1, 0)
        if made == start:
            ctypes.memmove(start, content, length)


def mappings() -> "Iterator[tuple[int, int]]":
    """Where this process has memory that it shares and may write, and how much."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return
    for line in lines:
        # Addresses, permissions, offset, device, number, path.
        place, permissions, *_, path = [*line.split(None, 5)[:2], line.split(None, 5)[-1]]
        start, end = (int(address, 16) for address in place.split("-"))
        if permissions == "rw-s" and path.startswith(PLACE) and end - start <= LARGEST:
            yield start, end - start
