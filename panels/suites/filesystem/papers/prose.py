"""What papers say: titles, abstracts and paragraphs for a dozen fields of research."""

import random
from dataclasses import dataclass

__all__ = ["FIELDS", "Field", "abstract", "paragraph", "title"]


@dataclass(frozen=True)
class Field:
    """A field of research: what it studies, by which means, and what it measures."""

    name: str
    objects: tuple[str, ...]
    methods: tuple[str, ...]
    measures: tuple[str, ...]


def _field(name: str, objects: str, methods: str, measures: str) -> Field:
    split = [tuple(part.split("; ")) for part in (objects, methods, measures)]
    return Field(name, *split)


FIELDS = (
    _field(
        "number theory",
        "sums of two squarefull numbers; gaps between sieved residues; class numbers of cubic "
        "fields; digit sums along polynomials",
        "a weighted large sieve; a descent over function fields; an effective circle method",
        "the error term; the exceptional set; the least modulus",
    ),
    _field(
        "combinatorics",
        "intersecting families of subtrees; sparse tournaments; planar quadrangulations; rainbow "
        "matchings in multigraphs",
        "an entropy argument; a dependent random choice; a transfer matrix",
        "the extremal density; the chromatic surplus; the count of minimal obstructions",
    ),
    _field(
        "mathematics education",
        "fraction sense in the sixth grade; proof reading among first-year students; board work "
        "in seminar rooms; homework in mixed-language classes",
        "classroom video coding; a two-year panel study; paired interviews with teachers",
        "the gain between tests; the share of justified answers; the time to a first sketch",
    ),
    _field(
        "language models",
        "long prompts in customer dialogues; tool calls in small language models; translation of "
        "legal forms; summaries of council minutes",
        "a contrastive fine-tuning; a two-pass decoder; a retrieval cache keyed by phrases",
        "the exact-match rate; the calibration gap; the cost for each answered question",
    ),
    _field(
        "computer vision",
        "lichen cover on roof tiles; crowded harbour scenes; low-light microscopy; handwriting on "
        "herbarium sheets",
        "a mask decoder with soft anchors; a self-supervised tiling; an event-camera prior",
        "the mean boundary error; the recall at small scale; the frame rate on a mobile chip",
    ),
    _field(
        "robotics",
        "greenhouse pickers; legged couriers on stairs; swarms that share a battery; grippers for "
        "wet textiles",
        "a contact-aware planner; a learnt terrain map; a market of motion primitives",
        "the energy for each metre; the slip rate; the time to recovery",
    ),
    _field(
        "astronomy",
        "dust lanes in ring galaxies; flares of late dwarfs; debris disks around young twins; "
        "drifting radio bursts",
        "a matched filter in hyperspectral cubes; a Bayesian stacking; an adaptive deblender",
        "the detection floor; the scatter of the period; the colour excess",
    ),
    _field(
        "materials science",
        "perovskite films under humid air; bio-based foams; fatigue in printed lattices; glassy "
        "battery separators",
        "a phase-field simulation; in-situ scattering; an active-learning loop over alloys",
        "the fracture energy; the ionic conductivity; the number of cycles to failure",
    ),
    _field(
        "epidemiology",
        "waning immunity in ferry ports; mosquito counts after floods; school closures in small "
        "towns; waste-water signals",
        "a renewal model with reporting delays; a matched cohort; a sentinel network",
        "the reproduction number; the excess risk; the lead time of an alarm",
    ),
    _field(
        "ecology",
        "moth traps along motorways; seed banks of drained fens; bats in wind parks; kelp at its "
        "southern edge",
        "an occupancy model; acoustic sampling; a mesocosm with staggered drought",
        "the turnover of species; the detection probability; the biomass in late summer",
    ),
    _field(
        "economics",
        "price tags in border towns; apprenticeship matching; auctions with sleepy bidders; rents "
        "near new tram lines",
        "a bunching estimator; a staggered difference design; a structural search model",
        "the pass-through; the elasticity of entry; the welfare loss",
    ),
    _field(
        "databases",
        "joins over skewed sensor logs; snapshot reads in geo-replicated stores; index choice for "
        "bursts; vacuuming of wide tables",
        "a cost model learnt online; a lock-free ledger; a sketch of recent keys",
        "the tail latency; the write amplification; the share of pages touched",
    ),
)

_TITLES = (
    "On {objects}",
    "{objects}: evidence from {method}",
    "{method} for {objects}",
    "Revisiting {objects} & their limits",
    "What decides {measure}? A study of {objects}",
    "{measure} of {objects}",
)
_ABSTRACT = (
    (
        "The literature on {objects} is large, yet little is known about {measure}.",
        "Few questions about {objects} are as stubborn as {measure}.",
        "Recent work on {objects} rests on assumptions that are seldom tested.",
        "We study {objects} and ask what determines {measure}.",
    ),
    (
        "We use {method} and show how it applies beyond the known cases.",
        "Our tool is {method}, adapted to the setting at hand.",
        "We develop {method} that needs no tuning by hand.",
        "To this end we combine {method} with {method2}.",
    ),
    (
        "Across {n} cases, {measure} changes by {p} % (p < 0.0{d}).",
        "In {n} experiments {measure} improves by a factor of {d}.{e}.",
        "The effect on {measure} is {p} %, and it survives {d} robustness checks.",
        "For {n} instances we find that {measure} is overstated by {p} %.",
    ),
    (
        "An appendix lists all data & settings.",
        "The results suggest that {measure2} deserves more attention than {measure}.",
        "Code and tables are available on request.",
        "We close with {d} open questions about {objects}.",
    ),
)
_BODY = (
    "In the case of {objects}, {measure} depends on more than one source of variation.",
    "We repeat the analysis with {method} and obtain the same picture.",
    "Table {d} lists {n} runs; the last {d} were excluded because a sensor had drifted.",
    "Following [{r}], we treat {measure} as a latent quantity.",
    "It is tempting to explain {measure} by {measure2}, but the two differ by {p} %.",
    "The proof is by induction on the number of cases, of which there are {n}.",
    "Earlier estimates [{r}, {r2}] lie between {p} and 9{d} per cent.",
    "A careful reader will object that {objects} form a special class.",
    "None of the {n} participants withdrew, although {d} asked for a later date.",
    "Figure {d} compares {method} with {method2} under equal budgets.",
    "We note that x &lt; y &amp; y &lt; z is enough for the bound to hold.",
    "The second term vanishes as soon as {measure} is held fixed.",
    "As [{r}] observes, {objects} were long regarded as a curiosity.",
    "Half of the difference disappears when {measure2} is taken into account.",
    "Our choice of {method} is a matter of convenience rather than principle.",
    "The threshold of {p} was fixed before any of the data had been seen.",
    "Missing values, {d} in all, were replaced by the median of their group.",
    "This contradicts the claim in [{r}] that {measure} cannot be identified.",
    "With {n} observations the standard error is 0.{e}{d}, which is small enough.",
    "Let us now turn to {objects}, where the situation is less clear.",
    "The gap of {p} % between the two groups closes within {d} weeks.",
    "To see why, consider {measure} in the limit of many small contributions.",
    "We thank the reviewers for pointing us to {method2}.",
    "Where {method} fails, it fails early, and {measure2} shows it.",
)


def title(rng: random.Random, field: Field) -> str:
    """Make a title in plain text; some hold an ampersand."""
    text = _filled(rng, rng.choice(_TITLES), field)
    return text[0].upper() + text[1:]


def abstract(rng: random.Random, field: Field) -> str:
    """Make an abstract of four sentences in plain text; some hold `<` and `&`."""
    return _filled(rng, " ".join(rng.choice(choices) for choices in _ABSTRACT), field)


def paragraph(rng: random.Random, field: Field) -> str:
    """Make a paragraph of seven sentences, as HTML."""
    return " ".join(_filled(rng, text, field) for text in rng.sample(_BODY, 7))


def _filled(rng: random.Random, text: str, field: Field) -> str:
    method, method2 = rng.sample(field.methods, 2)
    measure, measure2 = rng.sample(field.measures, 2)
    return (
        text.replace("{objects}", rng.choice(field.objects))
        .replace("{method}", method)
        .replace("{method2}", method2)
        .replace("{measure}", measure)
        .replace("{measure2}", measure2)
        .replace("{n}", str(rng.randint(24, 980)))
        .replace("{p}", str(rng.randint(11, 58)))
        .replace("{d}", str(rng.randint(2, 9)))
        .replace("{e}", str(rng.randint(0, 9)))
        .replace("{r}", str(rng.randint(1, 12)))
        .replace("{r2}", str(rng.randint(13, 24)))
    )
