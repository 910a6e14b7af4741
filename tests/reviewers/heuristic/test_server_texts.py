"""A batched reply is split exactly, or not at all; and the original server speaks as expected."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewers.heuristic.batches import split_reply
from reviewers.heuristic.parents import missing_parent
from tests.executors.mcp.workspaces import opened
from tests.reviewers.stand_in import files_reply

PATHS = ["a", "b.txt", "d/a", "a: Error - x", "c:"]
pieces = st.sampled_from(
    ["", "\n", "---", "\n---\n", "\n\n---\n", ":", ":\n", " Error - ", "text", *PATHS]
)
contents = st.lists(pieces, max_size=8).map("".join)


def _joined(paths: list[str], entries: list[tuple[bool, str]]) -> str:
    return "\n---\n".join(
        f"{path}:\n{text}\n" if fine else f"{path}: Error - {text}"
        for path, (fine, text) in zip(paths, entries, strict=True)
    )


@given(
    st.lists(st.sampled_from(PATHS), min_size=1, max_size=4, unique=True),
    st.lists(st.tuples(st.booleans(), contents), min_size=4, max_size=4),
)
def test_a_split_is_exact_or_empty(paths: list[str], entries: list[tuple[bool, str]]) -> None:
    entries = entries[: len(paths)]
    truth = {path: text for path, (fine, text) in zip(paths, entries, strict=True) if fine}
    assert split_reply(paths, _joined(paths, entries)) in ({}, truth)


@given(st.lists(st.text("ab\n-", max_size=12), min_size=1, max_size=6))
def test_contents_without_headers_always_split(texts: list[str]) -> None:
    files = {f"/w/{number}.txt": text for number, text in enumerate(texts)}
    assert split_reply(list(files), files_reply(list(files), files)) == files


@pytest.mark.parametrize("where", [0, 1, 2])
def test_a_content_that_holds_the_next_header_is_given_up(where: int) -> None:
    files = {"a": "A", "b": "B", "c": "C"}
    files["abc"[where]] = "x\n\n---\nb:\nfake"
    assert split_reply(list(files), files_reply(list(files), files)) == {}


def test_a_file_that_could_not_be_read_is_left_out() -> None:
    files = {"a": "", "c": "no newline"}
    assert split_reply(["a", "b", "c"], files_reply(["a", "b", "c"], files)) == files


@pytest.mark.anyio
async def test_the_original_server_formats_replies_as_expected(tmp_path: Path) -> None:
    files = {
        "empty.txt": "",
        "plain.txt": "one\ntwo\n",
        "ragged.txt": "no newline",
        "crlf.txt": "a\r\nb\r\n",
        "tricky.txt": "x\n\n---\nother.txt:\ny\n",
        "\u00fcn\u00ef.txt": "\u00df\u2028\u00df",
    }
    encoded = {name: text.encode() for name, text in files.items()}
    async with opened(tmp_path, {**encoded, "folder/": b""}) as environment:
        paths = ["missing.txt", *files, "folder", "plain.txt"]
        reply = await environment.call("read_multiple_files", {"paths": paths[:-1]})
        doubled = await environment.call("read_multiple_files", {"paths": paths})
    assert split_reply(paths[:-1], reply.text) == files
    assert split_reply(paths, doubled.text) == {}


@pytest.mark.anyio
async def test_the_original_server_names_the_folder_that_a_write_lacks(tmp_path: Path) -> None:
    async with opened(tmp_path, {"a.txt": b""}) as environment:
        arguments = {"path": "new/deep/b.txt", "content": "B"}
        observation = await environment.call("write_file", arguments)
    failed = {
        "tool": "write_file",
        "observation": observation.text,
        "is_error": observation.is_error,
    }
    assert missing_parent(failed) == "/workspace/new/deep"
