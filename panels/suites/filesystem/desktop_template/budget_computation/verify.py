"""Success: `budget.txt` has the price of every file that the household pays, and their sum.

Payers and prices are read anew from the pristine copy, in whole cents. Nothing else is new or
changed.
"""

import re

from panels.suites.support import Folder, expect_text, expect_unchanged, verify_main

_RESULT = "budget.txt"
_PAYS = re.compile(
    r"^(?:Paid by: household|paid by,household)$|\bfrom the household purse\.", re.MULTILINE
)
_AMOUNT = r"(?:EUR |€)?(\d+[.,]\d\d)\b"
_TOTAL = re.compile(rf"^(?:Total: |total,){_AMOUNT}", re.MULTILINE)
_OFFER = re.compile(rf"^Offer from .+: {_AMOUNT}(?: EUR| €)?$", re.MULTILINE)
_COST = re.compile(rf" costs {_AMOUNT}")


def price(text: str) -> int:
    """Return the price of a file of the budget, in cents."""
    amounts = _TOTAL.findall(text) or _OFFER.findall(text) or _COST.findall(text)
    return min(int(re.sub(r"\D", "", amount)) for amount in amounts)


def truth(initial: Folder) -> dict[str, int]:
    """Return the prices by path, in cents and in the order of the paths."""
    texts = {path: initial.text(path) for path in initial.files()}
    return {path: price(text) for path, text in texts.items() if _PAYS.search(text)}


def verify(final: Folder, initial: Folder) -> None:
    """Judge a final folder."""
    prices = truth(initial)
    lines = [
        f"{name};{cents // 100}.{cents % 100:02}"
        for name, cents in [*prices.items(), ("total", sum(prices.values()))]
    ]
    expect_text(final, _RESULT, "\n".join(lines))
    expect_unchanged(final, initial, allow={_RESULT})


if __name__ == "__main__":
    verify_main(verify)
