"""How a program's path becomes the one of a server that sees its workspace elsewhere."""

from posixpath import join, normpath

from hypothesis import given
from hypothesis import strategies as st

from executors.mcp.paths import inward

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
