"""A copy of the process has semaphores and shared values of its own."""
import multiprocessing
import os
import unittest

from gadfly.process import shared_memory


def in_copy(does):
    """What a copy of this process says, of which the memory is made private."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            shared_memory.make_private()
            said = repr(does())
        except BaseException as error:
            said = repr(error)
        os.write(writing, said.encode())
        os._exit(0)
    os.close(writing)
    status = os.waitpid(pid, 0)[1]
    with os.fdopen(reading) as said:
        return said.read() or f"it ended with {status}"


class SharedMemory(unittest.TestCase):
    def test_a_held_rlock_does_not_stall_a_copy_that_does_not_hold_it(self):
        lock = multiprocessing.RLock()
        reading, writing = os.pipe()
        made, tell_made = os.pipe()
        pid = os.fork()
        if pid == 0:
            status = 2
            try:
                shared_memory.make_private()
                os.write(tell_made, b"x")
                # The original holds the lock by now.
                os.read(reading, 1)
                status = 0 if lock.acquire(block=False) else 1
            finally:
                os._exit(status)
        os.read(made, 1)
        with lock:
            os.write(writing, b"x")
            self.assertEqual(os.waitpid(pid, 0)[1], 0)

    def test_the_copy_of_its_holder_holds_it_too(self):
        lock = multiprocessing.RLock()
        with lock:
            self.assertEqual(in_copy(lambda: lock.acquire(block=False) and lock._semlock._is_mine()), "True")
        # What the copy took it has, not the original.
        self.assertTrue(lock.acquire(block=False))

    def test_what_a_copy_writes_to_a_shared_value_stays_there(self):
        value = multiprocessing.Value("i", 7)

        def change():
            value.value += 1
            return value.value

        self.assertEqual(in_copy(change), "8")
        self.assertEqual(value.value, 7)


if __name__ == "__main__":
    unittest.main()
