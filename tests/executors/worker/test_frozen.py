import pytest

from tests.executors.worker.programs import a_worker, printed_by

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("back_end")]

READINGS = {
    "time.time()": "1767225600.0",
    "time.time_ns()": "1767225600000000000",
    "time.gmtime()[:6]": "(2026, 1, 1, 0, 0, 0)",
    "time.localtime(None)[:6]": "(2026, 1, 1, 0, 0, 0)",
    "time.gmtime(0)[:3]": "(1970, 1, 1)",
    "time.strftime('%Y-%m-%d %H:%M %Z')": "2026-01-01 00:00 UTC",
    "time.strftime('%Y', time.gmtime(0))": "1970",
    "time.ctime()": "Thu Jan  1 00:00:00 2026",
    "time.asctime()": "Thu Jan  1 00:00:00 2026",
    "time.clock_gettime(time.CLOCK_REALTIME)": "1767225600.0",
    "time.perf_counter() - time.perf_counter()": "0.0",
    "repr(datetime.datetime.now())": "datetime.datetime(2026, 1, 1, 0, 0)",
    "repr(datetime.datetime.utcnow())": "datetime.datetime(2026, 1, 1, 0, 0)",
    "datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=2)))": (
        "2026-01-01 02:00:00+02:00"
    ),
    "datetime.datetime.today() + datetime.timedelta(days=1)": "2026-01-02 00:00:00",
    "repr(datetime.date.today())": "datetime.date(2026, 1, 1)",
    "datetime.date.today() == datetime.datetime.now().date()": "True",
    "isinstance(datetime.datetime.now().date(), datetime.date)": "True",
    "isinstance(datetime.datetime.now(), datetime.date)": "True",
    "issubclass(datetime.datetime, datetime.date)": "True",
    "isinstance(datetime.date.today(), datetime.datetime)": "False",
    "type(datetime.datetime.fromisoformat('2024-02-03T04:05')) is datetime.datetime": "True",
    "datetime.datetime.strptime('03/02/24', '%d/%m/%y')": "2024-02-03 00:00:00",
    "(datetime.date(2024, 3, 1) - datetime.date(2024, 2, 1)).days": "29",
    "sorted([datetime.date(2024, 3, 1), datetime.datetime(2023, 1, 1).date()])[0]": "2023-01-01",
}


async def test_every_clock_reads_the_runs_instant_and_dates_still_compute() -> None:
    async with a_worker() as worker:
        lines = "".join(f"print({reading})\n" for reading in READINGS)
        printed = await printed_by(worker, f"import time, datetime\n{lines}")
        assert printed.splitlines() == list(READINGS.values())


async def test_a_programs_own_kind_of_date_is_not_any_date() -> None:
    async with a_worker() as worker:
        code = """
            import datetime
            class Mine(datetime.date): pass
            print(isinstance(datetime.date(2024, 1, 1), Mine), isinstance(Mine.today(), Mine))
            print(repr(Mine.today()), issubclass(datetime.date, Mine))
            """
        assert await printed_by(worker, code) == "False True\nMine(2026, 1, 1) False\n"


ENTROPY = """
    import os, random, secrets, uuid
    print(random.random(), random.Random().random(), random.SystemRandom().random())
    print(os.urandom(4), os.getrandom(4), secrets.token_hex(4), uuid.uuid4(), uuid.uuid1())
    print(random.sample(range(1000), 5), hash("text"), list({"a", "b", "c", "d"}))
    random.seed()
    print(random.random())
    """


async def test_entropy_is_the_same_in_every_worker_and_moves_on_within_one() -> None:
    printed = []
    for _ in range(2):
        async with a_worker() as worker:
            printed.append([await printed_by(worker, ENTROPY) for _ in range(2)])
    assert printed[0] == printed[1]
    assert printed[0][0] != printed[0][1]


async def test_random_is_seeded_with_zero() -> None:
    async with a_worker() as worker:
        code = "import random\nprint(random.random(), random.Random(0).random())"
        first, second = (await printed_by(worker, code)).split()
        assert first == second == "0.8444218515250481"


async def test_sleeping_and_event_loops_work() -> None:
    async with a_worker() as worker:
        code = """
            import asyncio, time
            before = time.monotonic()
            time.sleep(0.02)
            asyncio.run(asyncio.sleep(0.02))
            print(0.04 <= time.monotonic() - before < 5)
            """
        assert await printed_by(worker, code) == "True\n"
