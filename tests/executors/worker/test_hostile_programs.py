"""Programs that mean harm to whoever reads, stores or counts what they do; on every back end."""

import pytest

from executors.worker.client import WorkerLimits
from tests.executors.worker.programs import a_worker, ended, paused, printed_by, run, text

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("back_end")]

HOSTILE_VALUES = """
class Liar:
    @property
    def __class__(self):
        raise SystemExit("asked for its class")
    def __repr__(self):
        raise SystemExit("asked for its text")
    def __reduce__(self):
        raise SystemExit("asked for its state")
    def __len__(self):
        raise SystemExit("asked for its length")
    __str__ = __hash__ = __iter__ = __eq__ = __bool__ = __reduce__
class Text(str):
    def __len__(self):
        raise SystemExit("asked for its length")
class Keys(dict):
    def items(self):
        raise SystemExit("asked for its items")
liar, own_text, own_keys = Liar(), Text("x"), Keys(a=1)
holds = {"in": [liar]}
fs.read(path="a")
"""


async def test_values_are_never_asked_for_what_they_say_of_themselves() -> None:
    async with a_worker() as worker:
        pause = paused(await run(worker, HOSTILE_VALUES))
        # Classes are code; all that was made of them has no JSON form.
        assert pause.variables.unexposed == ("holds", "liar", "own_keys", "own_text")
        assert ended(await worker.resume(text("ok"))).error is None


async def test_a_giant_variable_is_counted_and_not_carried() -> None:
    async with a_worker() as worker:
        code = "giant = 'x' * 50_000_000\nmany = list(range(500_000))\nsmall = 1\nfs.read(path='a')"
        pause = paused(await run(worker, code))
        assert pause.variables.module == {"small": 1}
        assert pause.variables.unexposed == ("giant", "many")


async def test_deep_nesting_is_counted_and_a_deep_argument_is_refused() -> None:
    async with a_worker() as worker:
        code = """
            deep = []
            for _ in range(5000):
                deep = [deep]
            try:
                fs.read(path=deep)
            except TypeError as error:
                print("refused")
            fs.read(path="a")
            """
        pause = paused(await run(worker, code))
        assert pause.pending.arguments == {"path": "a"}
        assert pause.printed == "refused\n"
        assert "deep" in pause.variables.unexposed


async def test_ten_thousand_open_files_are_not_to_be_had() -> None:
    code = """
        imp = getattr(__builtins__, "__imp" "ort__")
        held = []
        try:
            while len(held) < 10_000:
                held.append(imp("os").dup(0))
        except OSError as error:
            print(type(error).__name__, len(held) < 100)
        for descriptor in held:
            getattr(imp("os"), "clo" "se")(descriptor)
        """
    async with a_worker() as worker:
        assert await printed_by(worker, code) == "OSError True\n"
        assert await printed_by(worker, "print('goes on')") == "goes on\n"


async def test_no_folder_takes_a_file() -> None:
    code = """
        imp = getattr(__builtins__, "__imp" "ort__")
        for folder in ("/tmp", "/dev/shm", "/var/tmp", "/run", "/", "/controlscope", "/dev"):
            try:
                with getattr(__builtins__, "op" "en")(folder + "/full", "wb") as file:
                    file.write(b"x" * 10)
                print(folder, "written")
            except BaseException as error:
                pass
        print("tried")
        """
    async with a_worker() as worker:
        assert await printed_by(worker, code) == "tried\n"


async def test_a_gigabyte_of_print_is_cut_and_counted() -> None:
    async with a_worker(WorkerLimits(block_seconds=30)) as worker:
        code = "line = 'x' * 1_000_000\nfor _ in range(1000):\n    print(line)"
        end = ended(await run(worker, code))
        assert end.error is None
        assert end.output_truncated
        assert len(end.printed) < 70_000


@pytest.mark.parametrize(
    "code",
    [
        "ﬀ = 1\nprint(ff)",  # a ligature is the name that it reads as
        "print('a\u202eb' == 'a' + chr(0x202e) + 'b')",
        "x = 'not \u0430 comment' # \u2028 print('nor this')\nprint(x)",
        "ｐｒｉｎｔ('wide')",
    ],
)
async def test_text_that_looks_like_another_is_run_as_python_reads_it(code: str) -> None:
    expected: list[str] = []
    exec(compile(code, "<block>", "exec"), {"print": lambda *given: expected.append(f"{given[0]}")})
    async with a_worker() as worker:
        assert await printed_by(worker, code) == "".join(f"{line}\n" for line in expected)


async def test_calls_without_effect_do_not_wear_a_worker_down() -> None:
    async with a_worker() as worker:
        event = await run(worker, "for n in range(2000):\n    fs.read(path='a')\nprint(n)")
        for _ in range(2000):
            paused(event)
            event = await worker.resume(text("the same"))
        assert ended(event).printed == "1999\n"


async def test_no_timer_of_a_block_reaches_the_one_that_takes_its_place() -> None:
    code = """
        signal = getattr(__builtins__, "__imp" "ort__")("signal")
        def late(*_):
            print("of the old block")
        for timer, number in ((1, signal.SIGVTALRM), (2, signal.SIGPROF)):
            signal.signal(number, late)
            signal.setitimer(timer, 0.3, 0.01)
        fs.read(path="a")
        """
    async with a_worker() as worker:
        paused(await run(worker, code))
        end = ended(await worker.replace("for n in range(20_000_000):\n    pass\nprint('new')"))
        assert (end.error, end.printed) == (None, "new\n")
