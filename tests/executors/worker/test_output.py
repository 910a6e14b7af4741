import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executors.worker.client import WorkerLimits
from executors.worker.output import Output
from tests.executors.worker.programs import a_worker, ended, paused, printed_by, run, text


@given(
    parts=st.lists(st.text(st.characters(exclude_categories=["Cs"]))),
    limit=st.integers(min_value=0, max_value=40),
)
def test_the_first_bytes_are_kept_and_the_rest_is_counted(parts: list[str], limit: int) -> None:
    output = Output(limit)
    for part in parts:
        assert output.write(part) == len(part)
    whole = "".join(parts).encode()
    kept, _, count = output.text().partition("[output truncated: ")
    if len(whole) <= limit:
        assert (output.text(), output.truncated) == (whole.decode(), False)
        return
    assert output.truncated
    dropped = int(count.removesuffix(" bytes dropped]\n"))
    text = kept if whole.startswith(kept.encode()) else kept.removesuffix("\n")
    assert whole.startswith(text.encode())
    # A character is never cut in half.
    assert limit - 4 < len(text.encode()) <= limit
    assert dropped in (len(whole) - len(text.encode()), len(whole) - len(text.encode()) + 1)


@given(parts=st.lists(st.text()))
def test_it_writes_what_a_text_stream_would(parts: list[str]) -> None:
    output, stream = Output(1 << 20), io.StringIO()
    for part in parts:
        print(part, end="", file=output)
        print(part, end="", file=stream)
    assert output.text() == stream.getvalue().encode("utf-8", "backslashreplace").decode()


def test_anything_but_text_is_refused() -> None:
    with pytest.raises(TypeError):
        Output(10).write(b"bytes")  # type: ignore[arg-type]


@pytest.mark.anyio
async def test_a_flood_of_printing_is_cut_counted_and_flagged() -> None:
    async with a_worker(WorkerLimits(output_bytes=1000)) as worker:
        code = "for _ in range(1000):\n    print('x' * 99_999)\nfs.read(path='a')\nprint('end')"
        mark = f"{'x' * 1000}\n[output truncated: {{}} bytes dropped]\n"
        pause = paused(await worker.run(code))
        assert pause.printed == mark.format(99_999_000)
        end = ended(await worker.resume(text("ok")))
        assert (end.printed, end.output_truncated) == (mark.format(99_999_004), True)
        end = ended(await worker.run("print('short')"))
        assert (end.printed, end.output_truncated) == ("short\n", False)


@pytest.mark.anyio
async def test_both_streams_are_kept_and_writes_past_them_are_lost() -> None:
    async with a_worker() as worker:
        code = """
            import os, sys, warnings
            print("out")
            print("err", file=sys.stderr)
            getattr(os, "wri" "te")(1, b"past")
            getattr(os, "wri" "te")(2, b"past")
            sys.stdout.close()
            sys.stdout = None
            """
        assert await printed_by(worker, code) == "out\nerr\n"
        assert await printed_by(worker, "print('again', flush=True)") == "again\n"


@pytest.mark.anyio
async def test_a_text_subclass_prints_as_its_text() -> None:
    async with a_worker() as worker:
        code = """
            class Mine(str):
                def encode(self, *_): raise SystemExit
            class Shown:
                def __str__(self): return Mine("shown")
            print(Mine("a"), Shown())
            """
        assert await printed_by(worker, code) == "a shown\n"


@pytest.mark.anyio
async def test_a_block_that_prints_nothing_has_printed_nothing() -> None:
    async with a_worker() as worker:
        await run(worker, "print('old')")
        assert ended(await run(worker, "x = (")).printed == ""
        assert ended(await run(worker, "pass")).printed == ""
