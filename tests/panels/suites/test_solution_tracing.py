import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from panels.suites.filesystem.legal_document import agreement
from panels.suites.filesystem.legal_document.ideas import TOPICS
from panels.suites.filesystem.legal_document.solution_tracing import build, negotiation, verify
from panels.suites.support import Folder
from tests.panels.suites.checking import Trees, built, copy_of, rng_of

TASK = "legal_document/solution_tracing"
OUTPUT = "solution_tracing.csv"


def planted(seed: int) -> negotiation.Negotiation:
    return negotiation.negotiate(rng_of(TASK, seed))


def answer(seed: int) -> str:
    origins = planted(seed).origins
    rows = [f"{origin.clause},{origin.version},{origin.name}" for origin in origins]
    return "\n".join(["clause,version,name", *rows])


@pytest.fixture(scope="module")
def initial(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(build.build, tmp_path_factory.mktemp("initial"), TASK).initial


@pytest.fixture
def trees(initial: Path, tmp_path: Path) -> Trees:
    return copy_of(initial, tmp_path)


@pytest.mark.parametrize("seed", range(1, 9))
def test_the_truth_from_the_drafts_is_what_was_planted(tmp_path: Path, seed: int) -> None:
    trees = built(build.build, tmp_path, TASK, seed)
    assert verify.expected(Folder(trees.initial)) == answer(seed)


def test_a_draft_reads_back_as_its_clauses_and_the_comments_of_its_version(initial: Path) -> None:
    plan = planted(1)
    for version in range(agreement.VERSIONS):
        text = (initial / agreement.draft_path(version)).read_text(encoding="utf-8")
        assert 80_000 < len(text) < 95_000
        read = agreement.read_draft(text)
        assert tuple(read) == agreement.CLAUSES
        found = Counter(
            (clause, remark.author, remark.text)
            for clause, (_, remarks) in read.items()
            for remark in remarks
        )
        shown = [comment for comment in plan.comments if comment.stands_in(version)]
        assert found == Counter((one.clause, one.author, one.text) for one in shown)
        for clause in agreement.CLAUSES:
            assert read[clause][0].startswith(plan.versions[version][clause])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_each_clause_has_a_refiner_a_rival_with_the_final_figure_and_a_mention_elsewhere(
    seed: int,
) -> None:
    plan = planted(seed)
    for origin in plan.origins:
        final = plan.versions[-1][origin.clause]
        (topic, adopted) = next(
            (topic, idea) for topic in TOPICS for idea in topic.ideas if idea.key in final
        )
        figures = map(topic.quantity, topic.quantities)
        figure = next(n for n in figures if adopted.clause.format(n=n) in final)
        own = [one for one in plan.comments if one.clause == origin.clause]
        others = [one for one in own if one.author != origin.name]
        assert any(adopted.key in one.text and figure in one.text for one in others)
        assert any(
            one.first <= origin.version and figure in one.text and adopted.key not in one.text
            for one in others
        )
        assert any(
            one.clause != origin.clause and one.first < origin.version and adopted.key in one.text
            for one in plan.comments
        )


def test_an_idea_is_named_by_no_other_wording() -> None:
    keys = [idea.key for topic in TOPICS for idea in topic.ideas]
    assert len(set(keys)) == 24
    plan = planted(1)
    assert not any(key in text for key in keys for text in plan.versions[0].values())
    for topic in TOPICS:
        for idea in topic.ideas:
            assert [key for key in keys if key in idea.pitch] == [idea.key]
            assert [key for key in keys if key in idea.clause] == [idea.key]


def test_the_right_table_passes_with_and_without_a_last_line_end(trees: Trees) -> None:
    trees.put(OUTPUT, answer(1))
    assert trees.why_failed(verify.verify) is None
    trees.put(OUTPUT, answer(1) + "\n")
    assert trees.why_failed(verify.verify) is None


def other_name(trees: Trees) -> None:
    origin = planted(1).origins[1]
    refiner = next(
        one.author
        for one in planted(1).comments
        if one.clause == origin.clause and one.author != origin.name
    )
    trees.put(OUTPUT, answer(1).replace(f"4.12,{origin.version},{origin.name}", f"4.12,{refiner}"))


def later_version(trees: Trees) -> None:
    version = planted(1).origins[3].version
    trees.put(OUTPUT, answer(1).replace(f"8.11,{version}", f"8.11,{version + 1}"))


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda trees: None, "is missing"),
        (other_name, "line 3:"),
        (later_version, "line 5:"),
        (lambda trees: trees.put(OUTPUT, answer(1).partition("\n")[2]), "line 1:"),
        (lambda trees: trees.put(OUTPUT, answer(1).rpartition("\n")[0]), "found 4"),
        (lambda trees: trees.put(f"drafts/{OUTPUT}", answer(1)), "is missing"),
    ],
    ids=["no table", "another speaker", "later version", "no header", "a row short", "wrong place"],
)
def test_a_wrong_table_fails_for_its_own_reason(
    trees: Trees, spoil: Callable[[Trees], None], reason: str
) -> None:
    spoil(trees)
    assert reason in str(trees.why_failed(verify.verify))


def test_a_touched_draft_or_an_extra_file_fails(trees: Trees) -> None:
    trees.put(OUTPUT, answer(1))
    trees.put("drafts/notes.txt", "4.1: see v3")
    assert trees.why_failed(verify.verify) == "drafts/notes.txt should not be there"
    (trees.final / "drafts/notes.txt").unlink()
    trees.put(agreement.draft_path(3), "lost")
    assert trees.why_failed(verify.verify) == f"{agreement.draft_path(3)} was changed"


def test_the_scripts_run_on_their_own_and_tell_the_verdict(tmp_path: Path) -> None:
    script = Path(build.__file__)
    initial, final = tmp_path / "initial", tmp_path / "final"
    for target in (initial, final):
        target.mkdir()
        subprocess.run([sys.executable, script, target, "7"], check=True)
    judge = [sys.executable, str(script.with_name("verify.py")), str(final), str(initial)]
    failed = subprocess.run(judge, capture_output=True, text=True, check=False)
    assert (failed.returncode, failed.stdout) == (1, f"{OUTPUT} is missing\n")
    (final / OUTPUT).write_text(answer(7), encoding="utf-8")
    passed = subprocess.run(judge, capture_output=True, text=True, check=False)
    assert (passed.returncode, passed.stdout) == (0, "pass\n")
