"""How a program's path becomes the one of a server that sees its workspace elsewhere."""

from posixpath import join, normpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executors.paths import inward, inward_in_text

STATE, ROOT = "/workspace", "/home/me/runs/r/state"
PARTS = st.lists(st.sampled_from(["a", "b", "..", ".", "", "workspace", "state", "~"]), max_size=7)


@given(PARTS, st.booleans())
def test_a_path_means_the_same_place_and_never_one_above_the_workspace(
    parts: list[str], absolute: bool
) -> None:
    path = "/" * absolute + "/".join(parts)
    meant = "/" + normpath(join(STATE, path)).lstrip("/")
    found = "/" + normpath(join(ROOT, inward(path, STATE, ROOT))).lstrip("/")
    if meant == STATE or meant.startswith(f"{STATE}/"):
        assert found == ROOT + meant[len(STATE) :]
    else:
        assert found == meant


def test_the_spelling_of_a_path_in_the_workspace_is_kept() -> None:
    assert inward("/workspace//a/./b/", STATE, ROOT) == f"{ROOT}//a/./b/"
    assert inward("a/../b", STATE, ROOT) == "a/../b"
    assert inward("", STATE, ROOT) == ""


PLACES = {"/state": "/home/me/state", "/server": "/opt/s", "/server/node": "/opt/node/bin/node"}


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("/state", "/home/me/state"),
        ("/state/a b", "/home/me/state/a b"),
        ("--root=/state", "--root=/home/me/state"),
        ("/state:/state/x,/server", "/home/me/state:/home/me/state/x,/opt/s"),
        ("/server/node/x", "/opt/node/bin/node/x"),
        ("/server/nodes", "/opt/s/nodes"),
        ("read('/state')", "read('/home/me/state')"),
        ("file:///state/a", "file:///home/me/state/a"),
        ("/states /x/state ./state ~/state /state.d /state-1", None),
    ],
)
def test_a_place_is_moved_where_a_whole_path_names_it(text: str, moved: str | None) -> None:
    assert inward_in_text(text, PLACES.items()) == (moved or text)
