"""Heavy questions are answered by worker processes, which are stopped in time and never hold up the others."""

import asyncio
import os
import signal
import time
from functools import partial

import pytest
from starlette.requests import ClientDisconnect

from arpad.errors import BadInput, Busy
from arpad.messages import speaking
from arpad.questions import spec_of
from arpad.web import workers as module
from arpad.web.api import by_field, kind_of, pairs_of
from arpad.web.workers import listening_to, pool_here, run, workers


def in_pool(work, seconds=300):
    """What comes of some asynchronous work with one worker."""

    async def within():
        async with workers(1, seconds):
            return await work()

    return asyncio.run(within())


async def until(there):
    """Wait for something to come true, however busy the machine is."""
    async with asyncio.timeout(300):
        while not there():  # noqa: ASYNC110  # what is waited for tells nobody
            await asyncio.sleep(0.01)


def refuse():
    raise BadInput("no", at="here")


def test_heavy_work_is_done_elsewhere_and_quick_work_here():
    """Heavy work runs in another process; the same one is used again; what waits runs in this one."""

    async def work():
        return [
            await run(os.getpid),
            await run(os.getpid),
            await run(os.getpid, "waiting"),
            await run(os.getpid, "quick"),
        ]

    first, second, waiting, quick = in_pool(work)
    assert first == second != os.getpid()
    assert waiting == quick == os.getpid()


def test_without_workers_a_thread_does_it():
    """An application without workers, as in a browser or a notebook, answers all the same."""
    assert asyncio.run(run(os.getpid)) == os.getpid()


def test_a_refusal_comes_back_as_it_was_raised():
    """Sentence and place survive the way between processes."""
    with pytest.raises(BadInput, match=r"no \(at here\)") as refused:
        in_pool(lambda: run(refuse))
    assert refused.value.at == "here"


def test_a_worker_speaks_the_voice_of_the_door():
    """What is worded in a worker is worded for the door that asked."""
    from arpad.messages import voice

    with speaking("en", door="page"):
        assert in_pool(lambda: run(voice)).door == "page"


def test_work_that_takes_too_long_is_stopped():
    """The time limit ends the work itself, and the next question gets a new worker."""

    async def work():
        before = await run(os.getpid)
        with pytest.raises(Busy, match="longer than 5 seconds"):
            await run(partial(time.sleep, 3600))
        return before, await run(os.getpid)

    before, after = in_pool(work, seconds=5)  # enough for the quick ones on a busy machine
    assert before != after
    with pytest.raises(ProcessLookupError):
        os.kill(before, 0)


def test_work_that_takes_too_much_memory_is_refused():
    """A worker has a gigabyte; more is refused in a sentence, and the next question is answered."""

    async def work():
        with pytest.raises(Busy, match="more memory"):
            await run(partial(bytearray, 2 * 1024**3))
        return await run(os.getpid)

    assert in_pool(work)


def test_a_worker_that_dies_is_replaced():
    """A crash costs one question, which is told to come back; one while nobody asks costs nothing."""

    async def work():
        with pytest.raises(Busy, match="was stopped"):
            await run(partial(os._exit, 3))
        idle = await run(os.getpid)
        os.kill(idle, signal.SIGKILL)
        await pool_here()._idle[0].gone()  # noqa: SLF001  # until the event loop has heard of it
        return idle, await run(os.getpid)

    idle, after = in_pool(work)
    assert idle != after


def test_a_full_queue_says_so(monkeypatch):
    """Beyond the queue the answer is Busy, at once; whoever leaves makes room."""
    monkeypatch.setattr(module, "QUEUE", 2)

    async def work():
        asked = [asyncio.create_task(run(partial(time.sleep, 3600))) for _ in range(3)]
        pool = pool_here()
        await until(lambda: (pool.busy, pool.waiting) == (1, 2))
        with pytest.raises(Busy):
            await run(os.getpid)
        for one in asked:
            one.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        assert (pool.busy, pool.waiting) == (0, 0)
        return await run(os.getpid)

    assert in_pool(work)


def test_a_client_that_hangs_up_frees_its_worker():
    """The work is stopped, whoever waited gets the next worker, and nobody is answered."""

    async def hangs_up():
        pool = pool_here()
        await until(lambda: pool.busy)
        return {"type": "http.disconnect"}

    async def work():
        pool = pool_here()
        with listening_to(hangs_up), pytest.raises(ClientDisconnect):
            await run(partial(time.sleep, 3600))
        assert pool.busy == 0
        return await run(os.getpid)

    assert in_pool(work, seconds=3000)


def test_a_client_that_stays_is_answered():
    """Listening to a client takes nothing away from its answer, nor from a refusal."""

    async def stays():
        await asyncio.sleep(3600)

    async def work():
        with listening_to(stays):
            with pytest.raises(BadInput):
                await run(refuse)
            return await run(os.getpid)

    assert in_pool(work) != os.getpid()


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("rating=1750&row=1950&result=win", "quick"),
        ("rating=1750&row=Carlsen&result=win&row=1950&result=win", "waiting"),
        ("rating=1750&game=Carlsen:win&game=1950:win", "waiting"),
    ],
)
def test_whoever_is_looked_up_leaves_the_event_loop(query, kind):
    """Also for a page, whose form has rows, and also where only the first of several is named."""
    assert kind_of(spec_of("rate"), by_field(pairs_of(query.encode())), len(query)) == kind


@pytest.mark.parametrize("name", ["season", "outlook", "strength", "norms", "event", "compare", "need"])
def test_slow_questions_leave_the_event_loop(name):
    """However short they are: `need` under Lichess once held up all others for a second."""
    assert kind_of(spec_of(name), {}, 10) == "heavy"
