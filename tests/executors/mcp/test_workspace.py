import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controlscope.canonical import JsonObject, digest, digest_bytes
from controlscope.errors import InputError
from executors.mcp.workspace import FileHashes, first_second, manifest, prepare
from tests.executors.mcp.workspaces import PAST, build

DATE = "2025-06-15T15:06:40+00:00"
NEVER = 1 << 40


def _settled(workspace: Path, hashes: FileHashes) -> JsonObject:
    """Describe a workspace once its entries are old enough to be remembered."""
    time.sleep(0.12)
    return manifest(workspace, NEVER, hashes)


def test_a_copy_keeps_contents_and_times_and_normalises_permissions(tmp_path: Path) -> None:
    initial = build(tmp_path / "initial", {"d/a": b"one", "e/": b"", "b": b"two"})
    (initial / "b").chmod(0o700)
    (initial / "e").chmod(0o700)
    prepare(initial, tmp_path / "deep" / "copy")
    copy = tmp_path / "deep" / "copy"
    assert manifest(copy, NEVER) == manifest(initial, NEVER)
    assert {path.name: path.stat().st_mode & 0o777 for path in [copy, *copy.rglob("*")]} == {
        "copy": 0o755,
        "d": 0o755,
        "a": 0o644,
        "e": 0o755,
        "b": 0o644,
    }
    assert {path.stat().st_mtime_ns for path in [copy, *copy.rglob("*")]} == {PAST * 10**9}


def test_the_original_stays_as_it_is_when_its_copy_is_written(tmp_path: Path) -> None:
    initial = build(tmp_path / "initial", {"a": b"one"})
    before = manifest(initial, NEVER)
    prepare(initial, tmp_path / "copy")
    (tmp_path / "copy" / "a").write_bytes(b"two")
    assert manifest(initial, NEVER) == before


def test_an_environment_that_is_missing_or_a_workspace_that_exists_is_refused(
    tmp_path: Path,
) -> None:
    initial = build(tmp_path / "initial", {})
    with pytest.raises(InputError, match="is not a directory"):
        prepare(tmp_path / "nothing", tmp_path / "copy")
    with pytest.raises(InputError, match="exists already"):
        prepare(initial, initial)


def test_inner_links_are_kept_with_their_time(tmp_path: Path) -> None:
    initial = build(tmp_path / "initial", {"d/a": b"a"})
    (initial / "d" / "link").symlink_to("../d/a")
    (initial / "later").symlink_to("not/yet/there")
    for name in ("d/link", "later"):
        os.utime(initial / name, (PAST, PAST), follow_symlinks=False)
    prepare(initial, tmp_path / "copy")
    entries = manifest(tmp_path / "copy", NEVER)
    assert entries["d/link"] == {"type": "link", "modified": DATE, "target": "../d/a"}
    assert entries["later"]["target"] == "not/yet/there"


@pytest.mark.parametrize("target", ["/etc/passwd", "../outside", "d/../../outside", "self"])
def test_a_link_that_leads_nowhere_inside_is_refused(tmp_path: Path, target: str) -> None:
    initial = build(tmp_path / "initial", {"d/": b""})
    (initial / "self").symlink_to(target)
    with pytest.raises(InputError, match="self is a link that leads nowhere inside"):
        prepare(initial, tmp_path / "copy")


def test_a_special_file_is_refused(tmp_path: Path) -> None:
    initial = build(tmp_path / "initial", {})
    os.mkfifo(initial / "pipe")
    with pytest.raises(InputError, match="pipe is neither a file, a directory nor a link"):
        prepare(initial, tmp_path / "copy")


def test_a_manifest_tells_every_entry(tmp_path: Path) -> None:
    root = build(tmp_path / "root", {"d/a": b"one", "e/": b""})
    assert manifest(root, NEVER) == {
        ".": {"type": "directory", "modified": DATE},
        "d": {"type": "directory", "modified": DATE},
        "d/a": {"type": "file", "modified": DATE, "size": 3, "sha256": digest_bytes(b"one")},
        "e": {"type": "directory", "modified": DATE},
    }


def test_what_a_run_wrote_is_shown_at_the_instant(tmp_path: Path) -> None:
    root = build(tmp_path / "root", {"old": b"", "new": b""})
    os.utime(root / "new", (PAST + 1, PAST + 1))
    shown = {name: entry["modified"] for name, entry in manifest(root, PAST + 1).items()}
    assert shown == {".": DATE, "old": DATE, "new": "2026-01-01T00:00:00+00:00"}


def test_a_name_that_is_not_utf_8_is_copied_told_and_digested(tmp_path: Path) -> None:
    initial = build(tmp_path / "initial", {})
    for name in (b"caf\xe9", b"caf\xc3\xa9"):
        (initial / os.fsdecode(name)).write_bytes(name)
    prepare(initial, tmp_path / "copy")
    entries = manifest(tmp_path / "copy", NEVER)
    assert entries["caf\udce9"]["sha256"] == digest_bytes(b"caf\xe9")
    assert entries["café"]["sha256"] == digest_bytes(b"caf\xc3\xa9")
    assert len(digest(entries)) == 64


def test_a_run_starts_in_the_second_after_the_newest_entry(tmp_path: Path) -> None:
    root = build(tmp_path / "root", {"d/a": b"", "b": b""})
    assert first_second(root) == PAST + 1
    os.utime(root / "d" / "a", ns=(0, (PAST + 5) * 10**9 + 999_999_999))
    assert first_second(root) == PAST + 6


def test_an_entry_dated_after_the_present_is_refused(tmp_path: Path) -> None:
    root = build(tmp_path / "root", {"d/a": b""})
    later = datetime.now(UTC).timestamp() + 3600
    os.utime(root / "d" / "a", (later, later))
    with pytest.raises(InputError, match=r"'d/a' .* is dated after the present"):
        first_second(root)


def test_a_known_file_is_not_read_again_and_a_changed_one_is(tmp_path: Path) -> None:
    root = build(tmp_path / "root", {"same": b"one", "new": b"two"})
    hashes: FileHashes = {}
    _settled(root, hashes)
    hashes = {name: (key, f"remembered {name}") for name, (key, _) in hashes.items()}
    (root / "new").write_bytes(b"six")
    os.utime(root / "new", (PAST, PAST))
    entries = manifest(root, NEVER, hashes)
    assert entries["same"]["sha256"] == "remembered same"
    assert entries["new"]["sha256"] == digest_bytes(b"six")


def test_a_file_that_could_still_change_unseen_is_not_remembered(tmp_path: Path) -> None:
    root = build(tmp_path / "root", {"old": b"one"})
    hashes: FileHashes = {}
    _settled(root, hashes)
    (root / "fresh").write_bytes(b"two")
    manifest(root, NEVER, hashes)
    assert set(hashes) == {"old"}


_NAMES = st.sampled_from(["a", "b", "d/c", "d/e"])
_STEP = st.one_of(
    st.tuples(st.just("write"), _NAMES, st.sampled_from([b"one", b"two", b"three"])),
    st.tuples(st.just("replace"), _NAMES, st.sampled_from([b"one", b"two"])),
    st.tuples(st.just("move"), _NAMES, _NAMES.map(str.encode)),
    st.tuples(st.just("remove"), _NAMES, st.just(b"")),
)


def _apply(root: Path, kind: str, name: str, value: bytes) -> None:
    path = root / name
    match kind:
        case "write":
            path.write_bytes(value)
        case "replace":
            (root / "temporary").write_bytes(value)
            (root / "temporary").rename(path)
        case "move" if path.exists():
            path.rename(root / value.decode())
        case "remove":
            path.unlink(missing_ok=True)


@settings(max_examples=25, deadline=None)
@given(steps=st.lists(_STEP, max_size=12))
def test_a_manifest_from_memory_equals_one_read_anew(
    steps: list[tuple[str, str, bytes]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = build(tmp_path_factory.mktemp("property") / "root", {"d/": b""})
    hashes: FileHashes = {}
    for step in steps:
        _apply(root, *step)
        assert manifest(root, NEVER, hashes) == manifest(root, NEVER)
