"""Two requests that are handled at the same time, and a log that says whose each line is."""
import asyncio
import contextvars

request = contextvars.ContextVar("request", default=0)
log = []


def note(text):
    log.append(f"[{request.get()}] {text}")


async def step(name):
    note(f"begin {name}")
    await asyncio.sleep(0)
    note(f"end {name}")


async def handle(number):
    request.set(number + 1)
    await step("read")
    await step("write")


async def main():
    await asyncio.gather(handle(1), handle(2))
    print("\n".join(sorted(log)))


asyncio.run(main())
