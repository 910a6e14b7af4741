"""Three tasks to be done without code: structure_analysis, structure_mirror, pattern_matching."""

from collections.abc import Callable
from pathlib import Path

import pytest

from panels.suites.filesystem.file_context.pattern_matching import build as pattern
from panels.suites.filesystem.file_context.pattern_matching import verify as pattern_verdict
from panels.suites.filesystem.folder_structure.growth import leaves
from panels.suites.filesystem.folder_structure.structure_analysis import build as analysis
from panels.suites.filesystem.folder_structure.structure_analysis import verify as analysis_verdict
from panels.suites.filesystem.folder_structure.structure_mirror import build as mirror
from panels.suites.filesystem.folder_structure.structure_mirror import verify as mirror_verdict
from panels.suites.support import Folder
from tests.panels.suites.checking import Trees, built, copy_of, rng_of

ANALYSIS, MIRROR = "folder_structure/structure_analysis", "folder_structure/structure_mirror"
PATTERN = "file_context/pattern_matching"
REPORT, ANSWER = "structure_analysis.txt", "answer.txt"


def report(root: Path) -> str:
    """Describe a tree by a walk of its own."""
    archive = root / "archive"
    files = [path for path in archive.rglob("*") if path.is_file()]
    folders = [path for path in archive.rglob("*") if path.is_dir()]
    deepest = max(folders, key=lambda folder: len(folder.parts))
    levels = len(deepest.relative_to(archive).parts)
    counts: dict[str, int] = {}
    for path in files:
        # pathlib agrees with the instruction: `.keep` has no suffix.
        counts[path.suffix.lower()] = counts.get(path.suffix.lower(), 0) + 1
    without = counts.pop("")
    return "\n".join(
        [
            f"files: {len(files)}",
            f"folders: {len(folders)}",
            f"bytes: {sum(path.stat().st_size for path in files)}",
            f"levels: {levels}",
            f"deepest: /workspace/{deepest.relative_to(root).as_posix()}",
            *(f"{kind}: {counts[kind]}" for kind in sorted(counts)),
            f"none: {without}",
        ]
    )


def kept(seed: int = 1) -> list[str]:
    counts = mirror.plan(rng_of(MIRROR, seed))
    return [folder for folder in leaves(list(counts)) if counts[folder] >= 3]


def answer(seed: int = 1) -> str:
    planted = pattern.texts(rng_of(PATTERN, seed)).planted
    return "\n".join(f"{name},{planted[name]}" for name in sorted(planted))


@pytest.fixture(scope="module")
def initial_analysis(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(analysis.build, tmp_path_factory.mktemp("initial_analysis"), ANALYSIS).initial


@pytest.fixture
def analysed(initial_analysis: Path, tmp_path: Path) -> Trees:
    trees = copy_of(initial_analysis, tmp_path)
    trees.put(REPORT, report(trees.initial))
    return trees


@pytest.fixture(scope="module")
def initial_mirror(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(mirror.build, tmp_path_factory.mktemp("initial_mirror"), MIRROR).initial


@pytest.fixture
def mirrored(initial_mirror: Path, tmp_path: Path) -> Trees:
    trees = copy_of(initial_mirror, tmp_path)
    for folder in kept():
        trees.put(f"mirror/{folder}/placeholder.txt", f"/workspace/structure/{folder}")
    return trees


@pytest.fixture(scope="module")
def initial_pattern(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(pattern.build, tmp_path_factory.mktemp("initial_pattern"), PATTERN).initial


@pytest.fixture
def matched(initial_pattern: Path, tmp_path: Path) -> Trees:
    trees = copy_of(initial_pattern, tmp_path)
    trees.put(ANSWER, answer() + "\n")
    return trees


@pytest.mark.parametrize("seed", [1, 2, 3, 101])
def test_the_description_is_what_a_walk_finds_and_has_a_real_size(
    tmp_path: Path, seed: int
) -> None:
    trees = built(analysis.build, tmp_path, ANALYSIS, seed)
    found = analysis_verdict.expected(Folder(trees.initial))
    assert found == report(trees.initial)
    assert found.startswith("files: 250\nfolders: 70\n")
    assert "\nlevels: 7\n" in found
    assert int(found.rpartition(": ")[2]) > 10
    assert max(len(content) for content in Folder(trees.initial).files().values()) < 1024


@pytest.mark.parametrize("seed", [1, 2, 3, 101])
def test_the_mirror_keeps_40_of_120_folders_and_not_those_that_come_close(
    tmp_path: Path, seed: int
) -> None:
    trees = built(mirror.build, tmp_path, MIRROR, seed)
    wanted = {f"mirror/{one}/placeholder.txt": f"/workspace/structure/{one}" for one in kept(seed)}
    assert mirror_verdict.expected(Folder(trees.initial)) == wanted
    counts = mirror.plan(rng_of(MIRROR, seed))
    assert (len(counts), len(wanted)) == (120, 40)
    assert any(counts[folder] == 2 for folder in leaves(list(counts)))
    assert any(counts[folder] > 3 for folder in counts if folder not in leaves(list(counts)))


@pytest.mark.parametrize("seed", range(1, 7))
def test_passages_of_30_count_and_those_of_29_do_not(tmp_path: Path, seed: int) -> None:
    trees = built(pattern.build, tmp_path, PATTERN, seed)
    assert pattern_verdict.expected(Folder(trees.initial)) == answer(seed)
    made = pattern.texts(rng_of(PATTERN, seed))
    assert len(made.planted) == 7
    windows = {made.large[at : at + 29] for at in range(len(made.large) - 28)}
    shared = [
        sum(text[at : at + 29] in windows for at in range(len(text) - 28))
        for text in made.small.values()
    ]
    assert sorted(shared) == [0] * 9 + [1] * 4 + [2] * 4 + [17] * 3
    assert len(made.large.encode()) > len(made.large) > 12_000


def test_right_results_pass(analysed: Trees) -> None:
    assert analysed.why_failed(analysis_verdict.verify) is None


def test_a_right_mirror_passes(mirrored: Trees) -> None:
    assert mirrored.why_failed(mirror_verdict.verify) is None


def test_a_right_answer_passes(matched: Trees) -> None:
    assert matched.why_failed(pattern_verdict.verify) is None


def swap(trees: Trees, old: str, new: str) -> None:
    trees.put(REPORT, (trees.final / REPORT).read_text().replace(old, new))


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda trees: (trees.final / REPORT).unlink(), "is missing"),
        (lambda trees: swap(trees, "files: 250", "files: 251"), "line 1:"),
        (lambda trees: swap(trees, "levels: 7", "levels: 8"), "line 4:"),
        (lambda trees: swap(trees, "/workspace/", ""), "line 5:"),
        (lambda trees: trees.move(REPORT, f"archive/{REPORT}"), "is missing"),
        (lambda trees: (trees.final / "archive/new").mkdir(), "the empty folder archive/new"),
        (lambda trees: trees.put("notes.txt", ""), "notes.txt should not be there"),
    ],
    ids=["missing", "files", "levels", "deepest", "wrong place", "empty folder", "extra"],
)
def test_a_wrong_description_fails_for_its_own_reason(
    analysed: Trees, spoil: Callable[[Trees], None], reason: str
) -> None:
    spoil(analysed)
    assert reason in str(analysed.why_failed(analysis_verdict.verify))


def placeholder() -> str:
    return f"mirror/{kept()[0]}/placeholder.txt"


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda trees: (trees.final / placeholder()).unlink(), "is missing"),
        (lambda trees: trees.put(placeholder(), kept()[0]), "line 1:"),
        (lambda trees: trees.put("mirror/placeholder.txt", "x"), "should not be there"),
        (lambda trees: (trees.final / "mirror/more").mkdir(), "the empty folder mirror/more"),
        (lambda trees: trees.move("mirror", "copy"), "is missing"),
        (lambda trees: trees.move(f"structure/{kept()[0]}", "seen"), "seen/"),
    ],
    ids=["missing", "relative", "extra", "empty folder", "wrong place", "moved input"],
)
def test_a_wrong_mirror_fails_for_its_own_reason(
    mirrored: Trees, spoil: Callable[[Trees], None], reason: str
) -> None:
    spoil(mirrored)
    assert reason in str(mirrored.why_failed(mirror_verdict.verify))


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda trees: (trees.final / ANSWER).unlink(), "is missing"),
        (lambda trees: trees.put(ANSWER, answer().replace(",", ", ")), "line 1:"),
        (lambda trees: trees.put(ANSWER, answer().rpartition("\n")[0]), "expected 7 lines"),
        (lambda trees: trees.put(ANSWER, answer() + "\nfile_99.txt,1"), "found 8"),
        (lambda trees: trees.move(ANSWER, f"out/{ANSWER}"), "is missing"),
        (lambda trees: trees.put("notes.txt", ""), "notes.txt should not be there"),
        (lambda trees: trees.put("file_01.txt", ""), "file_01.txt was changed"),
    ],
    ids=["missing", "form", "short", "one more", "wrong place", "extra", "touched"],
)
def test_a_wrong_answer_fails_for_its_own_reason(
    matched: Trees, spoil: Callable[[Trees], None], reason: str
) -> None:
    spoil(matched)
    assert reason in str(matched.why_failed(pattern_verdict.verify))
