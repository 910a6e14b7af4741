"""What the parties argue about: for each topic three rival ideas, of which one is adopted.

An idea is known by its key, two or three words that stand in no other wording of the agreement.
"""

from dataclasses import dataclass

__all__ = ["TOPICS", "Idea", "Topic"]


@dataclass(frozen=True)
class Idea:
    """A solution: how somebody proposes it, and how the agreement says it. `{n}` is a quantity."""

    key: str
    pitch: str
    clause: str


@dataclass(frozen=True)
class Topic:
    """Rival ideas that differ in kind and are measured in one unit, so that figures mislead."""

    heading: str
    unit: str
    quantities: tuple[int, ...]
    ideas: tuple[Idea, ...]

    def quantity(self, number: int) -> str:
        """Return a number with the topic's unit."""
        return self.unit.replace("#", str(number))


_DAYS, _MONTHS, _SHARES = (10, 15, 20, 30, 45), (3, 6, 9, 12, 18), (2, 5, 8, 12, 15)

TOPICS = (
    Topic(
        "Disagreements about acceptance",
        "# Business Days",
        _DAYS,
        (
            Idea(
                "standing expert",
                "We could name a standing expert at signature, who rules within {n} on whether a "
                "delivery passes.",
                "Any disagreement about acceptance is put to a standing expert named at signature, "
                "whose ruling, given within {n}, binds the Parties.",
            ),
            Idea(
                "joint test bench",
                "Let us set up a joint test bench and accept whatever it shows within {n}.",
                "Acceptance depends on the result of the joint test bench, which the Parties run "
                "together within {n} of delivery.",
            ),
            Idea(
                "repeat trial",
                "My proposal is a repeat trial at the Supplier's cost, {n} after the first one.",
                "Where the first trial fails, a repeat trial takes place at the Supplier's cost "
                "within {n}, and its outcome is final.",
            ),
        ),
    ),
    Topic(
        "Contested invoices",
        "# days",
        _DAYS,
        (
            Idea(
                "escrow account",
                "What if the disputed part goes to an escrow account and is released after {n}?",
                "The disputed part of an invoice is paid into an escrow account and released {n} "
                "after the complaint has been settled.",
            ),
            Idea(
                "rolling credit note",
                "A rolling credit note, renewed every {n}, would spare both treasuries.",
                "Overpayments are entered in a rolling credit note that is set off every {n}.",
            ),
            Idea(
                "grace ledger",
                "I propose a grace ledger: arrears of up to {n} are noted and bear no interest.",
                "Arrears of up to {n} are noted in a grace ledger and bear no interest.",
            ),
        ),
    ),
    Topic(
        "Price adjustment",
        "# per cent",
        _SHARES,
        (
            Idea(
                "copper index",
                "The price should follow the copper index once it moves by {n}.",
                "The price follows the copper index in every quarter in which it has moved by more "
                "than {n}.",
            ),
            Idea(
                "open-book ceiling",
                "We would open our costing against an open-book ceiling of {n} above cost.",
                "The Supplier discloses its costing, and the price is held below an open-book "
                "ceiling of {n} above cost.",
            ),
            Idea(
                "best-customer price",
                "Give us a best-customer price, with a margin of {n} at most.",
                "The Customer pays the best-customer price, which may exceed the lowest comparable "
                "price by {n} at most.",
            ),
        ),
    ),
    Topic(
        "Supply of spare parts",
        "# months",
        _MONTHS,
        (
            Idea(
                "consignment stock",
                "A consignment stock on our premises for {n} would settle the spare parts.",
                "The Supplier keeps a consignment stock of spare parts on the Customer's premises "
                "that covers {n}.",
            ),
            Idea(
                "last-time buy",
                "Why not a last-time buy, announced {n} ahead?",
                "Before a part is discontinued the Customer has the right to a last-time buy, "
                "announced {n} ahead.",
            ),
            Idea(
                "licensed third maker",
                "Let a licensed third maker step in when you cannot deliver for {n}.",
                "Where the Supplier has not delivered for {n}, a licensed third maker may produce "
                "the parts.",
            ),
        ),
    ),
    Topic(
        "Access to production data",
        "# days",
        _DAYS,
        (
            Idea(
                "read-only portal",
                "A read-only portal, refreshed every {n}, gives you all you need.",
                "The Supplier opens a read-only portal to the production data and refreshes it "
                "every {n}.",
            ),
            Idea(
                "sealed data room",
                "I would put the data into a sealed data room and open it for {n} on demand.",
                "Production data lie in a sealed data room that is opened for {n} on a reasoned "
                "demand.",
            ),
            Idea(
                "sampled extract",
                "Could we live with a sampled extract, delivered {n} after each quarter?",
                "The Customer receives a sampled extract of the production data {n} after the end "
                "of each quarter.",
            ),
        ),
    ),
    Topic(
        "Change of key persons",
        "# months",
        _MONTHS,
        (
            Idea(
                "shadow period",
                "A shadow period of {n} for every successor would take away our worry.",
                "A successor of a key person works beside the predecessor during a shadow period "
                "of {n}.",
            ),
            Idea(
                "named understudy",
                "Each key person should have a named understudy who has been on site for {n}.",
                "Each key person has a named understudy who has worked on the site for at least "
                "{n}.",
            ),
            Idea(
                "loyalty premium",
                "We suggest a loyalty premium, shared by both sides, after {n}.",
                "A key person who stays for {n} receives a loyalty premium that both Parties bear "
                "in equal parts.",
            ),
        ),
    ),
    Topic(
        "Termination for convenience",
        "# months",
        _MONTHS,
        (
            Idea(
                "break fee",
                "Whoever leaves early pays a break fee worth {n} of turnover.",
                "A Party that terminates for convenience pays a break fee equal to the turnover of "
                "{n}.",
            ),
            Idea(
                "wind-down calendar",
                "A wind-down calendar over {n} is worth more to us than money.",
                "After notice of termination the Parties follow a wind-down calendar over {n}.",
            ),
            Idea(
                "buy-back option",
                "We need a buy-back option for the tooling, open for {n}.",
                "On termination the Customer has a buy-back option for the tooling, open for {n}.",
            ),
        ),
    ),
    Topic(
        "Limits of liability",
        "# per cent",
        _SHARES,
        (
            Idea(
                "stepped retention",
                "A stepped retention that starts at {n} and melts away each year is my answer.",
                "The Customer withholds a stepped retention that starts at {n} of the price and "
                "falls by half each year.",
            ),
            Idea(
                "mutual reserve fund",
                "Let both of us pay {n} of turnover into a mutual reserve fund.",
                "Each Party pays {n} of the yearly turnover into a mutual reserve fund, from which "
                "damages are met first.",
            ),
            Idea(
                "insurer's floor",
                "Tie the cap to the insurer's floor plus {n}, and we can sign.",
                "Liability is capped at the insurer's floor plus {n}.",
            ),
        ),
    ),
)
