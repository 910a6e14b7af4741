"""Trees of folders and names of files, grown at random."""

import random

__all__ = ["EXTENSIONS", "bytes_of_text", "file_names", "grow", "leaves"]

EXTENSIONS = ("csv", "json", "log", "md", "py", "txt", "yaml")

_FOLDERS = """archive atlas audio backup beta budget camera cellar charts clients coast color
copies desk docs drafts east export field final forms garden ghost harbor ideas import index inbox
island journal kitchen labels legacy letters maps market media meeting mill minutes models module
music north notes office orders outbox panel paper parts photos plans press print private proofs
public quarry quotes raw records release reports river routes samples scans scripts season shared
sketches slides source south spare staff stage stock studio summer survey tables tasks team temp
test tools trips tutor upload vault video views visits warehouse west winter workshop"""
_FILES = """agenda answer banner bill cover draft entry figure guide hint invoice item joke key
list memo note offer page plan query recipe report score sheet sketch song story summary table task
ticket token update version"""
_FOLDER_WORDS, _FILE_WORDS = _FOLDERS.split(), _FILES.split()
_BARE = ("LICENSE", "Makefile", "README", "TODO", "CHANGES", "hosts", ".keep", ".ignore")
_LETTERS = "abcdefghij klmnop qrstu vwxyz\n"


def grow(rng: random.Random, count: int, levels: int) -> list[str]:
    """Grow `count` folders, at most `levels` deep, parents before children."""
    folders: list[str] = []
    while len(folders) < count:
        parents = [folder for folder in folders if folder.count("/") < levels - 1]
        parent = rng.choice(parents) if parents and rng.random() < 0.9 else ""
        path = f"{parent}/{rng.choice(_FOLDER_WORDS)}".lstrip("/")
        if path not in folders:
            folders.append(path)
    return folders


def leaves(folders: list[str]) -> list[str]:
    """Return the folders that hold no folder."""
    parents = {folder.rpartition("/")[0] for folder in folders}
    return [folder for folder in folders if folder not in parents]


def file_names(rng: random.Random, count: int) -> list[str]:
    """Draw distinct file names; some have two dots, an upper-case extension or none at all."""
    names: dict[str, None] = {}
    while len(names) < count:
        chance = rng.random()
        word, extension = rng.choice(_FILE_WORDS), rng.choice(EXTENSIONS)
        if chance < 0.12:
            name = rng.choice(_BARE)
        elif chance < 0.2:
            name = f"{word}.{rng.choice(_FILE_WORDS)}.{extension}"
        elif chance < 0.28:
            name = f"{word}.{extension.upper()}"
        else:
            name = f"{word}_{rng.randint(1, 60)}.{extension}"
        names[name] = None
    return list(names)


def bytes_of_text(rng: random.Random, size: int) -> bytes:
    """Return so many bytes of text without meaning."""
    return "".join(rng.choices(_LETTERS, k=size)).encode()
