"""Invented people: names for students, authors and negotiators."""

import random
import unicodedata
from collections.abc import Collection

__all__ = ["FAMILY_NAMES", "GIVEN_NAMES", "ascii_form", "full_names"]

_GIVEN = """
Adaeze Agnes Alva Amara Anna Anne Anton Arvid Aurel Bela Benno Bríd Cecil Ciara Dagny Dario
Davit Delphine Edda Elif Elin Emeka Enzo Esra Farid Femi Fiona Franka Gianna Greta Hana Hanna
Henrik Ida Ilse Imre Inés Irina Jakob Jamila Jonas José Juno Kaito Karim Katrin Kenji Lamine
Lars Leyla Linnea Lorenz Luca Lucía Magnus Maja Malik Marek Marta Mateo Mei Milan Mira Nadia
Naoki Nerea Nils Noor Odile Olena Oskar Otto Paloma Pavel Petra Priya Rafael Ravi Renata Rosa
Rowan Ruben Sahra Selma Sergio Sigrid Søren Stella Sunil Tamara Tariq Teodor Thea Tilda Tomás
Ulla Uma Valter Vera Viktor Wanda Xenia Yara Yusuf Zofia Zoë
"""
_FAMILY = """
Abendroth Adeyinka Aldana Almgren Ambrosi Ansbach Arkwell Aslan Baltes Banerji Barlow Belmonte
Berendt Bjarnason Boateng Bouvard Brandal Calloway Castrén Cerny Chaudhry Corbeil Dahlke Danso
Delacroix Demir Dobrev Drummond Ekström Ellery Eriksen Falk Farrow Ferrand Fontaine Forsberg
Galloway Garrido Gerhardt Giordani Grunwald Haddad Halvorsen Hartigan Hayashi Hollis Horvat
Ibarra Ishikawa Ivarsson Jansky Jelinek Kallas Kapoor Karimi Kestrel Kimura Kovalenko Krantz
Lachance Lindqvist Lindquist Lombard Lövgren Maddox Marchetti Marlowe Mbeki Mendoza Mihail
Moreau Müller Nakada Navarro Nørgaard Novotny Obi Okonjo Olawale Orsini Ostrander Paszek
Pemberly Perrault Petrosyan Quiroga Radić Ramaswamy Reinholt Reyes Rossiter Rusnak Saarinen
Salcedo Sandoval Sato Schreiber Sefton Sinclair Soto Steiner Strand Szabo Takeda Tavares
Thackeray Thorsen Tiwari Tremblay Ueno Ugarte Valdés Vance Varga Vestergaard Wainwright Weiss
Wójcik Yamane Yilmaz Zabala Zeller Ziegler
"""

GIVEN_NAMES = tuple(_GIVEN.split())
FAMILY_NAMES = tuple(_FAMILY.split())
_SPELT_OUT = {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "ß": "ss", "æ": "ae"}


def full_names(rng: random.Random, count: int, taken: Collection[str] = ()) -> list[str]:
    """Draw distinct "Given Family" names that are not among the taken ones."""
    names: dict[str, None] = {}
    while len(names) < count:
        name = f"{rng.choice(GIVEN_NAMES)} {rng.choice(FAMILY_NAMES)}"
        if name not in taken:
            names[name] = None
    return list(names)


def ascii_form(name: str) -> str:
    """Return a name without diacritics, as it stands in an address."""
    spelt = "".join(_SPELT_OUT.get(letter, letter) for letter in name)
    return unicodedata.normalize("NFKD", spelt).encode("ascii", "ignore").decode()
