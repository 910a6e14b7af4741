import ast

import pytest

from executors.worker.client import Manner, open_sandbox
from tests.executors.worker.programs import TOOLS, a_worker, ended, paused, printed_by, run, text

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("back_end")]


async def test_a_call_pauses_with_its_arguments_variables_and_what_was_printed() -> None:
    async with a_worker() as worker:
        pause = paused(
            await run(
                worker,
                """
                names = ["a.txt", "b.txt"]
                print("reading", len(names))
                found = fs.read(path=names[0], lines={"from": 1, "to": None}, exact=True)
                """,
            )
        )
        assert pause.pending.tool == "read"
        assert pause.pending.arguments == {
            "path": "a.txt",
            "lines": {"from": 1, "to": None},
            "exact": True,
        }
        assert pause.variables.block == {}
        assert pause.variables.module == {"names": ["a.txt", "b.txt"]}
        assert pause.variables.unexposed == ()
        assert pause.printed == "reading 2\n"


async def test_the_answer_is_what_the_call_returns() -> None:
    async with a_worker() as worker:
        paused(await run(worker, "answer = fs.read(path='a')\nprint(repr(answer))"))
        end = ended(await worker.resume(text("first\nsecond \udcff é")))
        assert end.printed == "'first\\nsecond \\udcff é'\n"


async def test_a_tools_error_raises_tool_error_with_its_message() -> None:
    async with a_worker() as worker:
        code = """
            try:
                fs.read(path="none")
            except ToolError as error:
                print("caught", error)
            fs.read(path="none")
            """
        paused(await run(worker, code))
        again = paused(await worker.resume(text("ENOENT: none", is_error=True)))
        assert again.printed == "caught ENOENT: none\n"
        end = ended(await worker.resume(text("ENOENT: none", is_error=True)))
        assert end.error == "tool_error"
        assert "ToolError: ENOENT: none" in end.traceback


@pytest.mark.parametrize(
    "code",
    [
        "x = 1; fs.read(path='é'); y = 2",
        "if True:\n    for name in ['é' 'b']:\n        print('é', fs.read(path=name))",
        "fs.read(\n    path='a',\n)",
        "(fs\n  .read\n  (path='a'))",
        "def é(path):\n    return [fs.read(path=p) for p in [path]]\né('a')",
        "total = sum(len(fs.read(path=str(n))) for n in range(3))",
        "fs.read(**{'path': 'a'})",
        "getattr(fs, 'read')(path='a')",
        "f = lambda: fs.read(path='a')\nf()",
        "class A:\n    data = fs.read(path='a')",
        "import asyncio\nasync def main():\n    return fs.read(path='a')\nasyncio.run(main())",
    ],
)
async def test_the_position_is_exactly_the_calls(code: str) -> None:
    calls = {
        (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset): ast.unparse(node.func)
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Call)
    }
    async with a_worker() as worker:
        place = paused(await worker.run(code)).pending.position
        assert calls[(place.line, place.column, place.end_line, place.end_column)] in (
            "fs.read",
            "getattr(fs, 'read')",
        )


async def test_a_call_through_the_library_stands_where_the_program_called_the_library() -> None:
    async with a_worker() as worker:
        code = "from functools import partial\nread = partial(fs.read, path='a')\nx = [1, read()]"
        assert tuple(paused(await worker.run(code)).pending.position) == (3, 8, 3, 14)


async def test_a_call_in_an_earlier_blocks_helper_stands_where_this_block_called_it() -> None:
    async with a_worker() as worker:
        await run(worker, "def helper(path):\n    size = 3\n    return fs.read(path=path)")
        pause = paused(await run(worker, "1\n\n\nx = helper('a')"))
        assert tuple(pause.pending.position) == (4, 4, 4, 15)
        assert pause.variables.block == {"path": "a", "size": 3}


async def test_a_functions_locals_are_shown_beside_the_modules() -> None:
    async with a_worker() as worker:
        code = """
            limit = 2
            def outer():
                shared = 5
                def inner(path, /, *more, **options):
                    local = {"n": shared}
                    return [fs.read(path=name) for name in [path]]
                return inner("a", 1, key=None)
            outer()
            """
        variables = paused(await run(worker, code)).variables
        assert variables.block == {
            "path": "a",
            "more": [1],
            "options": {"key": None},
            "local": {"n": 5},
            "shared": 5,
            "name": "a",
        }
        assert variables.module == {"limit": 2}
        assert variables.unexposed == ()


async def test_the_namespace_lasts_from_block_to_block_and_ends_with_its_worker() -> None:
    async with open_sandbox("fs", TOOLS) as sandbox:
        first = await sandbox.worker()
        await run(first, "x = 41")
        assert await printed_by(first, "print(x + 1)") == "42\n"
        second = await sandbox.worker()
        assert await printed_by(second, "print('x' in globals())") == "False\n"
        with pytest.raises(RuntimeError):
            await first.run("1")


async def test_unknown_tools_are_refused_by_name() -> None:
    async with a_worker() as worker:
        end = ended(await run(worker, "fs.raed(path='a')"))
        assert end.error == "user_exception"
        assert "fs has no tool 'raed'; it has read, write, list" in end.traceback


async def test_what_a_program_makes_of_the_librarys_names_is_its_own_affair() -> None:
    async with a_worker() as worker:
        code = """
            import json, time
            json.dumps = json.loads = time.monotonic = None
            x = fs.read(path="a")
            """
        assert paused(await run(worker, code)).pending.arguments == {"path": "a"}
        assert ended(await worker.resume(text("ok"))).error is None


async def test_a_tool_with_the_proxys_own_name_is_a_function_with_arguments_in_their_order() -> (
    None
):
    async with open_sandbox("act", ["act"], manner=Manner(positional=("command",))) as sandbox:
        worker = await sandbox.worker()
        first = paused(await run(worker, 'print(act("look"))\nact(command="inventory")'))
        assert first.pending.tool == "act"
        assert first.pending.arguments == {"command": "look"}
        second = paused(await worker.resume(text("a room")))
        assert second.pending.arguments == {"command": "inventory"}
        assert second.printed == "a room\n"
        assert ended(await worker.resume(text("nothing"))).error is None


@pytest.mark.parametrize("call", ['act("a", "b")', 'act("a", command="b")'])
async def test_a_function_refuses_what_has_no_place_in_its_order(call: str) -> None:
    async with open_sandbox("act", ["act"], manner=Manner(positional=("command",))) as sandbox:
        end = ended(await run(await sandbox.worker(), call))
    assert end.error == "bad_arguments"
    assert "TypeError: act takes command" in end.traceback
