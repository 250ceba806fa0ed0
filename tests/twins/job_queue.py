"""Jobs in a queue, done by a task."""
import asyncio


async def handle(job):
    await asyncio.sleep(0)
    return job + 1


async def worker(queue, results):
    while True:
        job = await queue.get()
        if job is None:
            break
        results.append(await handle(job))


async def process(jobs):
    queue, results = asyncio.Queue(), []
    task = asyncio.create_task(worker(queue, results))
    for job in jobs:
        await queue.put(job)
    await queue.put(None)
    await task
    return results


print(asyncio.run(process([1, 2, 5])))
