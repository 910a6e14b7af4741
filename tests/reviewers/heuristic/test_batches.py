"""Which loops are read ahead, and that the program does the same with fewer calls."""

import pytest

from controlscope.operations import Replace, ReplaceBoundary
from reviewers.heuristic import Heuristic
from tests.reviewers.stand_in import Run

FILES = {f"d/f{number:03}.txt": f"n={number}\nmore" for number in range(120)}
NAMES = 'names = ["f%03d.txt" % number for number in range(120)]\nrows = []\n'
WRITE = 'fs.write_file(path="out.txt", content=repr(rows))\n'

MEETS = {
    "a plain loop": """
for name in names:
    rows.append(fs.read_text_file(path="d/" + name))
""",
    "an enumerated loop with a part of the path": """
for number, name in enumerate(names, start=5):
    stem, _ = os.path.splitext(name)
    rows.append([number, stem, fs.read_text_file(path=os.path.join("d", name))])
""",
    "a sorted list": """
for name in sorted(names):
    path = f"d/{name}"
    rows.append(fs.read_text_file(path=path))
""",
    "elements that are lists": """
pairs = [(name[:4], name) for name in names]
for short, name in pairs:
    rows.append((short, fs.read_text_file(path=f"d/{name}")))
""",
    "a skip and a handled error before the read": """
for name in names + []:
    pass
names.append("gone.txt")
for name in names:
    if name.endswith("7.txt"):
        continue
    try:
        text = fs.read_text_file(path="d/" + name)
    except ToolError as error:
        rows.append(str(error))
        continue
    rows.append(text)
""",
    "a read in the header of an inner loop, and an early end": """
for name in names:
    for line in fs.read_text_file(path="d/" + name).splitlines():
        rows.append(line)
    if len(rows) > 210:
        break
else:
    rows.append("never")
""",
    "a read in a comprehension's first iterable": """
for name in names:
    rows += [line for line in fs.read_text_file(path="d/" + name).split() if "=" in line]
""",
    "a read under a condition": """
for name in names:
    if name != "f050.txt":
        text = fs.read_text_file(path="d/" + name)
        rows.append(len(text))
    else:
        rows.append(name)
""",
    "a skip of what is in a set": """
skipped = set(names[20:40])
for name in names:
    if name in skipped:
        continue
    rows.append(fs.read_text_file(path="d/" + name))
""",
    "a helper that only computes": """
def first_line(text):
    return text.splitlines()[0]
for name in names:
    rows.append(first_line(fs.read_text_file(path="d/" + name)))
    progress = f"{len(rows)} of {len(names)}"
""",
}

MISSES = {
    "two reads": """
for name in names:
    rows.append(fs.read_text_file(path="d/" + name) + fs.get_file_info(path="d/" + name))
""",
    "a part of a file": """
for name in names:
    rows.append(fs.read_text_file(path="d/" + name, head=1))
""",
    "another read": """
for name in names:
    rows.append(fs.get_file_info(path="d/" + name))
""",
    "an unnamed list": """
for name in list(names):
    rows.append(fs.read_text_file(path="d/" + name))
""",
    "a list that grows": """
for name in names:
    rows.append(fs.read_text_file(path="d/" + name))
    names.append(name)
""",
    "a list that another name changes": """
todo = names
for name in names:
    rows.append(fs.read_text_file(path="d/" + name))
    todo.append(name)
""",
    "a count before the read": """
count = 0
for name in names:
    count += 1
    rows.append(fs.read_text_file(path="d/" + name))
""",
    "a name that is carried over": """
last = ""
for name in names:
    before = last
    last = name
    rows.append((before, fs.read_text_file(path="d/" + name)))
""",
    "a path from a helper of the program": """
def path_of(name):
    rows.append(name)
    return "d/" + name
for name in names:
    rows.append(fs.read_text_file(path=path_of(name)))
""",
    "a loop in a function": """
def run():
    for name in names:
        rows.append(fs.read_text_file(path="d/" + name))
run()
""",
    "a read in a function": """
def read(name):
    return fs.read_text_file(path="d/" + name)
for name in names:
    rows.append(read(name))
""",
    "a helper that calls": """
def note(text):
    fs.write_file(path="note.txt", content=text)
for name in names:
    rows.append(fs.read_text_file(path="d/" + name))
    note(name)
""",
    "an object that calls": """
class Notes:
    def add(self, text):
        fs.write_file(path="note.txt", content=text)
def make():
    return Notes()
notes = make()
for name in names:
    rows.append(fs.read_text_file(path="d/" + name))
    notes.add(name)
""",
    "a function in a variable that calls": """
def note_to(path):
    return lambda text: fs.write_file(path=path, content=text)
note = note_to("note.txt")
for name in names:
    rows.append(fs.read_text_file(path="d/" + name))
    note(name)
""",
    "a proxy that has another name": """
tools = [fs]
for name in names:
    rows.append(fs.read_text_file(path="d/" + name))
    tools[0].write_file(path="note.txt", content=name)
""",
    "elements that are in the list twice": """
names *= 2
for name in names:
    rows.append(fs.read_text_file(path="d/" + name))
""",
    "a path from an iterator": """
turns = iter(names)
for name in names:
    rows.append(fs.read_text_file(path="d/" + list(zip(turns, "x"))[0][0]))
""",
    "a sort by a function of the program": """
def note(name):
    rows.append(name)
for name in names:
    path = "d/" + sorted([name], key=note)[0]
    rows.append(fs.read_text_file(path=path))
""",
    "a rebound builtin": """
def sorted(items):
    return items[::-1]
for name in sorted(names):
    rows.append(fs.read_text_file(path="d/" + name))
""",
    "a loop inside a condition": """
if names:
    for name in names:
        rows.append(fs.read_text_file(path="d/" + name))
""",
    "a read that a shorter loop can finish": """
for name in names[:1]:
    pass
few = names[:99]
for name in few:
    rows.append(fs.read_text_file(path="d/" + name))
""",
}


def _program(loop: str) -> str:
    return "import os\n" + NAMES + loop + WRITE


@pytest.mark.parametrize("loop", MEETS.values(), ids=MEETS)
def test_a_loop_that_meets_the_rule_does_the_same_in_few_calls(loop: str) -> None:
    kept = Run(dict(FILES), budget=1000).play(_program(loop))
    revised = Run(dict(FILES), Heuristic()).play(_program(loop))
    assert Run(dict(FILES)).play(_program(loop)).over
    assert (revised.error, revised.over) == (None, False)
    assert revised.realized.count("replace") == 1
    assert revised.files == kept.files
    left = set(kept.variables()) & set(revised.variables())
    assert left == set(kept.variables())
    assert all(kept.variables()[name] == revised.variables()[name] for name in left)
    assert len(revised.calls) <= 8


@pytest.mark.parametrize("loop", MISSES.values(), ids=MISSES)
def test_a_loop_that_misses_the_rule_goes_on_unchanged(loop: str) -> None:
    run = Run(dict(FILES), Heuristic(), budget=100 if "few" in loop else 90).play(_program(loop))
    assert set(run.realized) == {"keep"}


def test_reads_that_fit_are_left_alone_and_one_more_is_not() -> None:
    program = _program('for name in names:\n    rows.append(fs.read_text_file(path="d/" + name))\n')
    assert set(Run(dict(FILES), Heuristic(), budget=121).play(program).realized) == {"keep"}
    run = Run(dict(FILES), Heuristic(), budget=120).play(program)
    assert run.realized.count("replace") == 1


@pytest.mark.parametrize("scope", ["keep", "arg"])
def test_nothing_is_replaced_outside_the_full_scope(scope: str) -> None:
    program = _program(MEETS["a plain loop"])
    run = Run(dict(FILES), Heuristic(), scope=scope).play(program)  # type: ignore[arg-type]
    assert run.over
    assert set(run.realized) == {"keep"}


def test_a_loop_goes_on_part_way_at_the_item_that_waits() -> None:
    program = _program(MEETS["an enumerated loop with a part of the path"])
    late = _Late(40)
    revised = Run(dict(FILES), late).play(program)
    kept = Run(dict(FILES), budget=1000).play(program)
    assert revised.files == kept.files
    assert "names[40:], 45" in _replacement(revised).code
    assert [call["tool"] for call in revised.calls[:41]] == ["read_text_file"] * 40 + [
        "read_multiple_files"
    ]


def test_ambiguous_batches_and_missing_files_are_read_as_before() -> None:
    files = {**FILES, "d/f003.txt": "x\n\n---\nd/f005.txt:\nfake"}
    files.pop("d/f110.txt")
    loop = MEETS["a skip and a handled error before the read"]
    kept = Run(dict(files), budget=1000).play(_program(loop))
    revised = Run(dict(files), Heuristic()).play(_program(loop))
    assert revised.files == kept.files
    assert revised.realized.count("replace") == 1


def test_a_file_that_the_loop_changed_is_read_again() -> None:
    loop = """
for number, name in enumerate(names):
    text = fs.read_text_file(path="d/" + name)
    rows.append(text)
    if number == 3:
        fs.write_file(path="./d/f004.txt".removeprefix("./"), content="new")
    if number == 4:
        fs.move_file(source="d/f004.txt", destination="d/f006.txt")
"""
    run = Run(dict(FILES), budget=1000, folders={"d"}).play(_program(loop))
    revised = Run(dict(FILES), Heuristic(), folders={"d"}).play(_program(loop))
    assert revised.realized.count("replace") == 1
    assert revised.files == run.files
    assert revised.variables()["rows"][6] == "new"


@pytest.mark.parametrize("replace", ["reply", "block"])
def test_queued_blocks_run_once_at_either_boundary(replace: ReplaceBoundary) -> None:
    blocks = [_program(MEETS["a plain loop"]), 'fs.write_file(path="end.txt", content="end")']
    kept = Run(dict(FILES), budget=1000).play(*blocks)
    run = Run(dict(FILES), Heuristic(replace), replace=replace).play(*blocks)
    assert run.files == kept.files
    assert sum(call["arguments"].get("path") == "end.txt" for call in run.calls) == 1


def test_a_second_loop_gets_names_of_its_own() -> None:
    filed = """
texts = {}
for name in names:
    texts[name] = fs.read_text_file(path="d/" + name)
"""
    program = _program(filed + MEETS["a sorted list"] + "rows += texts.values()\n")
    kept = Run(dict(FILES), budget=1000).play(program)
    run = Run(dict(FILES), Heuristic()).play(program)
    assert run.files == kept.files
    assert run.realized.count("replace") == 2
    assert "def read_ahead_(" in _replacement(run).code


class _Late(Heuristic):
    """The heuristic, from a boundary on."""

    def __init__(self, first: int) -> None:
        super().__init__()
        self._first = first

    async def review(self, boundary, scope):  # type: ignore[no-untyped-def]
        return await super().review(boundary, scope if boundary.index >= self._first else "keep")


def _replacement(run: Run) -> Replace:
    return [operation for operation in run.operations if isinstance(operation, Replace)][-1]
