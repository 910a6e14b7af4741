from collections.abc import Callable
from pathlib import Path

import pytest

from panels.suites.filesystem.file_context.file_merging.build import build, plant
from panels.suites.filesystem.file_context.file_merging.verify import truth, verify
from panels.suites.support import Folder
from tests.panels.suites.checking import Trees, built, rng_of

RESULT = "merged.txt"
Snippets = dict[str, str]


def chosen() -> Snippets:
    snippets, names = plant(rng_of("category/task", 1))
    return {name: snippets[name] for name in names}


def merged(snippets: Snippets) -> str:
    return "".join(f"==> {name} <==\n{content}" for name, content in snippets.items())


@pytest.fixture
def trees(tmp_path: Path) -> Trees:
    return built(build, tmp_path)


@pytest.mark.parametrize("seed", range(6))
def test_the_verifier_finds_the_planted_snippets(seed: int, tmp_path: Path) -> None:
    initial = Folder(built(build, tmp_path, seed=seed).initial)
    snippets, names = plant(rng_of("category/task", seed))
    assert truth(initial) == [f"snippets/{name}" for name in names]
    assert len(snippets) == 120
    assert all(content.endswith("\n") for content in snippets.values())


@pytest.mark.parametrize("seed", range(6))
def test_the_cut_is_clear_in_bytes_and_another_in_characters(seed: int) -> None:
    snippets, names = plant(rng_of("category/task", seed))
    sizes = sorted(len(content.encode()) for content in snippets.values())
    assert sizes[8] < sizes[9] < sizes[10]
    by_characters = sorted(snippets, key=lambda name: len(snippets[name]))[:10]
    assert set(by_characters) != set(names)


@pytest.mark.parametrize("end", ["\n", ""])
def test_the_merged_snippets_pass_with_or_without_a_last_newline(end: str, trees: Trees) -> None:
    trees.put(RESULT, merged(chosen()).removesuffix("\n") + end)
    assert trees.why_failed(verify) is None


def test_an_untouched_folder_fails(trees: Trees) -> None:
    assert trees.why_failed(verify) == "merged.txt is missing"


def by_size(snippets: Snippets) -> Snippets:
    return dict(sorted(snippets.items(), key=lambda pair: len(pair[1].encode())))


def by_characters(right: Snippets) -> Snippets:
    snippets, _ = plant(rng_of("category/task", 1))
    names = sorted(snippets, key=lambda name: len(snippets[name]))[: len(right)]
    return {name: snippets[name] for name in sorted(names)}


@pytest.mark.parametrize(
    "spoil",
    [
        by_size,
        by_characters,
        lambda snippets: dict(list(snippets.items())[:9]),
        lambda snippets: {name: f"{content}\n" for name, content in snippets.items()},
        lambda snippets: {f"snippets/{name}": content for name, content in snippets.items()},
        lambda snippets: {name: content.rstrip() for name, content in snippets.items()},
    ],
)
def test_a_merge_with_one_thing_wrong_fails(
    spoil: Callable[[Snippets], Snippets], trees: Trees
) -> None:
    trees.put(RESULT, merged(spoil(chosen())))
    assert (trees.why_failed(verify) or "").startswith("merged.txt")


def test_a_merge_in_another_place_fails(trees: Trees) -> None:
    trees.put("snippets/merged.txt", merged(chosen()))
    assert trees.why_failed(verify) == "merged.txt is missing"


def test_an_extra_file_fails(trees: Trees) -> None:
    trees.put(RESULT, merged(chosen()))
    trees.put("sizes.txt", "")
    assert trees.why_failed(verify) == "sizes.txt should not be there"


def test_a_removed_snippet_fails(trees: Trees) -> None:
    trees.put(RESULT, merged(chosen()))
    name = next(iter(chosen()))
    (trees.final / "snippets" / name).unlink()
    assert trees.why_failed(verify) == f"snippets/{name} is gone"
