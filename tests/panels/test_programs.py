from pathlib import Path

import pytest

from controlscope.errors import InputError
from panels.programs import load_program


def _write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def test_a_program_is_its_replies_in_order_with_their_blocks(tmp_path: Path) -> None:
    folder = _write(
        tmp_path,
        {
            "02b.py": "second = 2\n",
            "01.py": "é = 1\r\n",
            "02a.py": "first = 2\n",
            "03.py": "",
            **{f"{number:02}.py": "" for number in range(4, 12)},
        },
    )
    program = load_program(folder, "P1")
    assert program.name == "P1"
    assert len(program.replies) == 11
    assert [(block.id, block.code) for reply in program.replies[:3] for block in reply.blocks] == [
        ("call_01", "é = 1\n"),
        ("call_02a", "first = 2\n"),
        ("call_02b", "second = 2\n"),
        ("call_03", ""),
    ]


def test_other_files_of_a_programs_folder_are_ignored(tmp_path: Path) -> None:
    others = ["README.md", "1.py", "001.py", "02A.py", "02ab.py", "٠٢.py", "01.txt", "x/02.py"]
    folder = _write(tmp_path, dict.fromkeys(["01.py", *others], "x"))
    assert [len(reply.blocks) for reply in load_program(folder, "P1").replies] == [1]


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        ([], "is no program: it needs 01.py, 02.py, … a reply each"),
        (["x.py"], "is no program"),
        (["02.py"], "has no 01.py"),
        (["01.py", "03.py"], "has no 02.py"),
        (["01.py", "02a.py", "02c.py"], "has no 02b.py"),
        (["01b.py"], "has no 01a.py"),
        (["01.py", "01a.py"], "has both 01.py and 01a.py"),
        (["00.py", "01.py"], "has a 00.py: replies count from 01"),
    ],
)
def test_a_gap_in_a_program_is_named(tmp_path: Path, names: list[str], problem: str) -> None:
    folder = _write(tmp_path / "p1", {"README.md": "", **dict.fromkeys(names, "")})
    with pytest.raises(InputError) as refused:
        load_program(folder, "P1")
    assert str(refused.value) == f"{folder} {problem}" or problem == "is no program"


def test_a_program_that_is_a_folder_under_a_replys_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "01.py").mkdir()
    with pytest.raises(InputError, match=r"01\.py cannot be read"):
        load_program(tmp_path, "P1")


def test_a_byte_order_mark_is_no_part_of_a_block(tmp_path: Path) -> None:
    _write(tmp_path, {"01.py": b"\xef\xbb\xbfx = 1\n"})
    assert load_program(tmp_path, "P1").replies[0].blocks[0].code == "x = 1\n"
