from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from panels.suites.filesystem.desktop_template.budget_computation.build import build, plant
from panels.suites.filesystem.desktop_template.budget_computation.verify import truth, verify
from panels.suites.support import Folder
from tests.panels.suites.checking import Trees, built, rng_of

RESULT = "budget.txt"


def prices(seed: int = 1) -> dict[str, int]:
    files = plant(rng_of("category/task", seed))
    return {file.path: file.price for file in files if file.price is not None}


def lines(found: dict[str, int]) -> list[str]:
    rows = [f"{path};{Decimal(found[path]) / 100:.2f}" for path in sorted(found)]
    return [*rows, f"total;{Decimal(sum(found.values())) / 100:.2f}"]


@pytest.fixture
def trees(tmp_path: Path) -> Trees:
    return built(build, tmp_path)


@pytest.mark.parametrize("seed", range(10))
def test_the_verifier_finds_the_planted_prices(seed: int, tmp_path: Path) -> None:
    initial = Folder(built(build, tmp_path, seed=seed).initial)
    assert len(initial.files()) == 110
    assert truth(initial) == prices(seed)
    assert len(prices(seed)) == 40


def test_the_planted_budget_passes(trees: Trees) -> None:
    trees.put(RESULT, "\n".join(lines(prices())))
    assert trees.why_failed(verify) is None


def test_an_untouched_folder_fails(trees: Trees) -> None:
    assert trees.why_failed(verify) == "budget.txt is missing"


def one_cent_more(found: dict[str, int]) -> dict[str, int]:
    first = min(found)
    return found | {first: found[first] + 1}


def with_a_file_that_the_office_pays(found: dict[str, int]) -> dict[str, int]:
    files = plant(rng_of("category/task", 1))
    return found | {next(file.path for file in files if file.price is None): 1000}


def without_one_file(found: dict[str, int]) -> dict[str, int]:
    return {path: found[path] for path in sorted(found)[1:]}


@pytest.mark.parametrize(
    "spoil", [one_cent_more, with_a_file_that_the_office_pays, without_one_file]
)
def test_a_budget_of_other_prices_fails(
    spoil: Callable[[dict[str, int]], dict[str, int]], trees: Trees
) -> None:
    trees.put(RESULT, "\n".join(lines(spoil(prices()))))
    assert (trees.why_failed(verify) or "").startswith("budget.txt, line ")


def test_a_wrong_or_missing_total_fails(trees: Trees) -> None:
    rows = lines(prices())
    trees.put(RESULT, "\n".join([*rows[:-1], "total;1.00"]))
    assert (trees.why_failed(verify) or "").startswith("budget.txt, line 41: ")
    trees.put(RESULT, "\n".join(rows[:-1]))
    assert trees.why_failed(verify) == "budget.txt: expected 41 lines, found 40"


def test_a_sold_out_offer_is_no_price(trees: Trees) -> None:
    texts = [content.decode() for content in Folder(trees.initial).files().values()]
    assert any("(sold out)" in text and "household" in text for text in texts)


def test_a_budget_in_another_place_fails(trees: Trees) -> None:
    trees.put("office/budget.txt", "\n".join(lines(prices())))
    assert trees.why_failed(verify) == "budget.txt is missing"


def test_an_extra_file_fails(trees: Trees) -> None:
    trees.put(RESULT, "\n".join(lines(prices())))
    trees.put("prices.csv", "")
    assert trees.why_failed(verify) == "prices.csv should not be there"


def test_a_removed_receipt_fails(trees: Trees) -> None:
    trees.put(RESULT, "\n".join(lines(prices())))
    path = min(prices())
    (trees.final / path).unlink()
    assert trees.why_failed(verify) == f"{path} is gone"
