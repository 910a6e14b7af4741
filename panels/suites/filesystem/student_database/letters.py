"""Letters of recommendation: prose in which the final English grade is one grade among others."""

import random
from datetime import datetime, timedelta

from panels.suites.filesystem.people import full_names

__all__ = ["FINAL_GRADE", "GRADES", "letter"]

GRADES = ("S", "A", "B", "C", "D")
FINAL_GRADE = "final English grade"
"""The words before the one grade that counts, at most capitalised; they stand once a letter."""

_FINAL = (
    "Final English grade: {grade}.",
    "The final English grade is {grade}.",
    "{given} leaves my course with a final English grade of {grade}.",
    "After the oral examination I entered the final English grade {grade} in the register.",
    "The examiners and I agreed on a final English grade of {grade} without much debate.",
)
_OTHER_GRADES = (
    "The mid-term English grade was {grade}, which says little about the months that followed.",
    "In chemistry the laboratory record earned grade {grade}.",
    "A colleague who teaches geography gave {given} the final grade {grade}.",
    "I remember an English essay on lighthouses that I marked {grade}.",
    "The English grade of the year before was {grade}.",
    "The school choir, which is graded too, awarded {given} an honest {grade}.",
    "In the mathematics paper {given} reached grade {grade}.",
    "For the group project on river traffic the jury noted grade {grade}.",
)
_OPENINGS = (
    "I have taught {name} (student {id}) English for {years} years and write gladly.",
    "It is a pleasure to write on behalf of {name}, student {id}, whom I taught for {years} years.",
    "{name}, student {id}, asked me for this letter, and I did not hesitate.",
    "This letter concerns {name} (student {id}), a member of my English course since {year}.",
)
_TRAITS = (
    "{given} reads widely, and brings to class what the rest of us have missed.",
    "Where others hurry, {given} asks what the author has left out.",
    "{given} speaks with care, listens longer than most, and changes an opinion when shown why.",
    "Deadlines were kept, even in the winter when the ferry did not run.",
    "{given} edits the school magazine, and has learnt to cut without mercy.",
    "In debates {given} prefers the weaker side, and often wins with it.",
    "The translation of two local ballads was {given}'s own idea, and a brave one.",
    "Younger pupils come to {given} for help, and leave with more than the answer.",
    "A stubborn accent has become a clear and personal voice.",
    "{given} organised our reading circle, which grew from five members to thirty.",
    "There were weeks of doubt, and {given} worked through them without complaint.",
    "Few students revise their drafts as honestly as {given} does.",
)
_CLOSINGS = (
    "I recommend {given} to you and will answer any question.",
    "You would do well to meet {given}; I am at your service for details.",
    "Please write to me if a spoken reference is of use.",
    "I am glad to support this application.",
)


def letter(
    rng: random.Random, student_id: str, name: str, final_grade: str, moment: datetime
) -> str:
    """Write a letter of about 1.2 KB; two to four other grades stand before and after the final."""
    given = name.split()[0]
    traits = rng.sample(_TRAITS, 6)
    others = [
        text.replace("{grade}", rng.choice(GRADES))
        for text in rng.sample(_OTHER_GRADES, rng.randint(2, 4))
    ]
    final = rng.choice(_FINAL).replace("{grade}", final_grade)
    middle = [final, *others, *traits[4:]]
    rng.shuffle(middle)
    opening = rng.choice(_OPENINGS).format(
        name=name, id=student_id, years=rng.randint(2, 6), year=rng.randint(2019, 2023)
    )
    paragraphs = (
        f"Hallmere College, {moment - timedelta(days=rng.randint(0, 9)):%d.%m.%Y}",
        "To the committee for admissions,",
        " ".join([opening, *traits[:2]]),
        " ".join(middle[: len(middle) // 2]),
        " ".join(middle[len(middle) // 2 :]),
        " ".join([*traits[2:4], rng.choice(_CLOSINGS)]),
        full_names(rng, 1)[0],
    )
    return "\n\n".join(paragraphs).replace("{given}", given) + "\n"
