"""The agreement's plain wording: headings, sentences of clauses, and ordinary comments on them."""

import random

__all__ = ["ARTICLES", "HEADINGS", "clause_text", "ordinary_comment", "sentence"]

ARTICLES = (
    "Definitions and interpretation",
    "Scope of supply",
    "Orders and forecasts",
    "Price and payment",
    "Delivery and acceptance",
    "Quality and warranty",
    "Confidential information",
    "Liability and insurance",
    "Term and general provisions",
)

_HEADING_FIRST = ("Notice of", "Records of", "Change of", "Access to", "Approval of", "Review of")
_HEADING_SECOND = """specifications;forecasts;invoices;samples;packaging;premises;personnel;
subcontractors;test reports;tooling;shipments;certificates;stock levels;drawings;
batch numbers;audit findings;service levels;site rules;export papers;calibration;
returned goods;deputies""".replace("\n", "").split(";")

HEADINGS = tuple(f"{first} {second}" for second in _HEADING_SECOND for first in _HEADING_FIRST)
"""132 different clause headings."""

_WHO = (
    "The Supplier",
    "The Customer",
    "Each Party",
    "The receiving Party",
    "The Supplier's site manager",
    "The Customer's quality officer",
    "The steering group",
)
_MUST = ("shall", "shall without delay", "shall at its own cost", "shall on request", "may")
_DO = """record every departure from the specification in the shared register;
give the other Party a written account of the affected deliveries;
keep the related papers in good order and ready for inspection;
name a substitute who is familiar with the equipment;
return or destroy the marked copies and confirm this in writing;
inspect the goods at the place of manufacture during ordinary hours;
renew the certificates listed for the measuring instruments;
hold back the consignment until the release note has been signed;
update the rolling plan and explain any change of more than a tenth;
bring the matter before the next monthly meeting;
adapt the packing instructions to the season and the route;
store the reference samples in a dry and locked room;
compare the batch numbers with those on the packing list;
correct the drawings and circulate the new issue;
bear the carriage, the customs charges and the cost of handling;
train its staff in the safe use of the tooling;
label the containers in the language of the place of destination;
report the hours worked on each order together with the invoice;
replace worn parts of the fixtures before they affect the measurements;
release the drawings needed for the customs declaration;
keep a reserve of packaging material for two ordinary deliveries;
grant the auditors access to the rooms in which the goods are stored;
disclose the names of the carriers and of their insurers;
refrain from using the marked samples for any other purpose;
agree on a common file format for the exchange of test results;
announce the closure of a production line to the other Party;
separate the returned goods from those that await their first inspection;
calibrate the scales and the gauges against the common standard""".replace("\n", "").split(";")
_WHEN = """as soon as the circumstances become known;within {n} Business Days of the request;
before the end of the calendar month;no later than {n} days after delivery;
unless the other Party has waived this in writing;during the whole term of this Agreement;
at least {n} times in each contract year;subject to clause {ref};
in the manner described in [Schedule {s}];without prejudice to clause {ref};
to the extent that clause {ref} does not provide otherwise;
in the form set out in [Schedule {s}]""".replace("\n", "").split(";")
_TAIL = (
    "A failure to do so is no material breach if it is put right within {n} days.",
    "Clauses {ref} and {ref2} apply accordingly.",
    "For this purpose the figures in [Schedule {s}] are final.",
    "The costs follow the allocation in clause {ref}.",
    "Silence is not to be read as consent.",
    "Electronic form is sufficient, provided that receipt has been confirmed.",
    "This does not affect rights that have arisen before that date.",
    "The deadline is extended by the days on which the site is closed.",
)
_COMMENTS = (
    "Please check whether this still fits clause {ref}; our site manager doubts it.",
    "Too wide for us. Could we limit it to goods delivered after signature?",
    "We would rather see {n} days here, as in the last contract.",
    "The figure should move to [Schedule {s}], where the others are.",
    "Accepted on our side, provided that clause {ref} stays as it is.",
    "Who bears the cost? The draft is silent, and clause {ref} points the other way.",
    "Wording is circular; suggest to delete the second half of the sentence.",
    "Insurance has asked for a reference to clause {ref2} at this point.",
    "This repeats clause {ref}. One of the two has to go.",
    "Our board meets on the {n}th and will want a shorter text.",
    "Fine, but please define the term in clause {ref} first.",
    "We cannot give this assurance for subcontracted parts.",
)


def sentence(rng: random.Random, duty: str = "") -> str:
    """Make one sentence of 100 to 200 characters, often with a reference or a schedule."""
    duty = duty or rng.choice(_DO)
    return _filled(rng, f"{rng.choice(_WHO)} {rng.choice(_MUST)} {duty} {rng.choice(_WHEN)}.")


def clause_text(rng: random.Random) -> str:
    """Make a clause's text of about 600 characters."""
    sentences = [sentence(rng, duty) for duty in rng.sample(_DO, rng.choice((4, 4, 4, 5)))]
    sentences.insert(rng.randint(1, 4), _filled(rng, rng.choice(_TAIL)))
    return " ".join(sentences)


def ordinary_comment(rng: random.Random) -> str:
    """Make the text of a comment that may name other clauses and schedules."""
    return _filled(rng, rng.choice(_COMMENTS))


def _filled(rng: random.Random, text: str) -> str:
    return (
        text.replace("{n}", str(rng.randint(3, 28)))
        .replace("{s}", str(rng.randint(1, 9)))
        .replace("{ref}", f"{rng.randint(1, 9)}.{rng.randint(1, 14)}")
        .replace("{ref2}", f"{rng.randint(1, 9)}.{rng.randint(1, 14)}")
    )
