"""When a batched read is widened, and that the program does the same with fewer calls."""

import pytest

from controlscope.operations import PatchArguments
from reviewers.heuristic import Heuristic
from tests.reviewers.stand_in import Run

FILES = {f"f{number:02}.txt": f"n={number}" for number in range(75)}
START = """
paths = ["f%02d.txt" % number for number in range(75)]
found = {}
order = []
def file_under(reply):
    for part in reply.split("\\n---\\n"):
        path, _, text = part.partition(":\\n")
        found[path] = text
        order.append(path)
"""
END = '\nfs.write_file(path="out.txt", content=repr([found, order]))\n'

MEETS = {
    "a work list": """
todo = paths
while todo:
    reply = fs.read_multiple_files(paths=todo[:2])
    file_under(reply)
    todo = [path for path in todo if path not in found]
""",
    "a batch of what is missing": """
while len(found) < len(paths):
    batch = [path for path in paths if path not in found][:2]
    file_under(fs.read_multiple_files(paths=batch))
    progress = f"{len(found)} of {len(paths)}"
""",
    "a skip of what is there": """
for number, path in enumerate(paths):
    if path in found:
        continue
    batch = paths[number : number + 2]
    file_under(fs.read_multiple_files(paths=batch))
""",
    "a read under a condition": """
for path in paths:
    if path not in found:
        missing = [other for other in paths if other not in found]
        batch = missing[:2]
        file_under(fs.read_multiple_files(paths=batch))
    last = found[path]
""",
    "a slice of which some may be there": """
for start in range(0, len(paths), 2):
    batch = [path for path in paths[start : start + 2] if path not in found]
    if not batch:
        continue
    try:
        file_under(fs.read_multiple_files(paths=batch))
    except ToolError:
        break
""",
    "a work list in a function": """
def run():
    todo = list(paths)
    while todo:
        file_under(fs.read_multiple_files(paths=todo[:2]))
        todo = [path for path in todo if path not in found]
run()
""",
}

MISSES = {
    "slices that are read again": """
for start in range(0, len(paths), 2):
    batch = paths[start : start + 2]
    file_under(fs.read_multiple_files(paths=batch))
""",
    "a reply that is paired with the batch": """
while len(found) < len(paths):
    batch = [path for path in paths if path not in found][:2]
    reply = fs.read_multiple_files(paths=batch)
    assert len(reply.split("\\n---\\n")) == len(batch)
    file_under(reply)
""",
    "a count of the batch": """
done = 0
while done < len(paths):
    todo = [path for path in paths if path not in found]
    batch = todo[:2]
    file_under(fs.read_multiple_files(paths=batch))
    done += len(batch)
""",
    "single files": """
for path in paths:
    if path in found:
        continue
    found[path] = fs.read_multiple_files(paths=[path])
""",
    "a condition that leaves files out": """
for number, path in enumerate(paths):
    if path in found:
        continue
    if number > 70:
        continue
    batch = paths[number : number + 2]
    file_under(fs.read_multiple_files(paths=batch))
""",
    "a comprehension that leaves files out": """
while True:
    todo = [path for path in paths if path not in found and path < "f60"]
    if not todo:
        break
    file_under(fs.read_multiple_files(paths=todo[:2]))
""",
    "one read of a few": """
file_under(fs.read_multiple_files(paths=paths[:2]))
file_under(fs.read_multiple_files(paths=paths[2:4]))
""",
    "a note of the item beside the read": """
for number, path in enumerate(paths):
    if path in found:
        continue
    file_under(fs.read_multiple_files(paths=paths[number : number + 2]))
    order.append(path)
""",
    "two parts that are unpacked": """
todo = paths[:-1]
while todo:
    reply = fs.read_multiple_files(paths=todo[:2])
    parts = reply.split("\\n---\\n")
    first, second = parts
    file_under(first)
    file_under(second)
    todo = [path for path in todo if path not in found]
""",
    "two parts by their places": """
todo = paths[:-1]
while todo:
    parts = fs.read_multiple_files(paths=todo[:2]).split("\\n---\\n")
    file_under(parts[0])
    file_under(parts[-1])
    todo = [path for path in todo if path not in found]
""",
    "a note of the item under the condition": """
for number, path in enumerate(paths):
    if path not in found:
        file_under(fs.read_multiple_files(paths=paths[number : number + 2]))
        order.append(path)
""",
    "a look at what was read that is no skip": """
for number in range(0, len(paths), 2):
    if len(found) > 10:
        order.append(number)
    file_under(fs.read_multiple_files(paths=paths[number : number + 2]))
""",
}


@pytest.mark.parametrize("loop", MEETS.values(), ids=MEETS)
def test_a_loop_that_meets_the_rule_does_the_same_in_few_calls(loop: str) -> None:
    kept = Run(dict(FILES)).play(START + loop + END)
    revised = Run(dict(FILES), Heuristic(), scope="arg").play(START + loop + END)
    assert (revised.error, revised.files) == (None, kept.files)
    assert kept.error is None
    assert len(kept.calls) == 39
    assert len(revised.calls) == 3
    assert revised.realized.count("patch") == 1


@pytest.mark.parametrize("loop", MISSES.values(), ids=MISSES)
def test_a_loop_that_misses_the_rule_goes_on_unchanged(loop: str) -> None:
    run = Run(dict(FILES), Heuristic()).play(START + loop + END)
    assert run.error is None
    assert set(run.realized) == {"keep"}


def test_a_patch_is_all_that_is_proposed_under_the_full_scope_too() -> None:
    run = Run(dict(FILES), Heuristic()).play(START + MEETS["a work list"] + END)
    widened = [step for step in run.operations if isinstance(step, PatchArguments)]
    assert "replace" not in run.realized
    assert [step.arguments for step in widened] == [{"paths": list(FILES)[2:]}]


def test_nothing_is_patched_under_the_keep_scope() -> None:
    run = Run(dict(FILES), Heuristic(), scope="keep").play(START + MEETS["a work list"] + END)
    assert set(run.realized) == {"keep"}


@pytest.mark.parametrize(("size", "calls"), [(400_000, 2), (1_100_000, 3)])
def test_a_reply_stays_far_below_what_the_server_may_send(size: int, calls: int) -> None:
    files = dict.fromkeys(FILES, "x" * size)
    run = Run(files, Heuristic()).play(START.replace("75", "6") + MEETS["a work list"])
    assert run.error is None
    assert len(run.calls) == calls
