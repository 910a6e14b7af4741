import ast
import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executors.worker.checks import parse, problems


def kinds(code: str) -> list[str]:
    return [problem.kind for problem in problems(parse(code), "fs")]


@pytest.mark.parametrize(
    "code",
    [
        "import subprocess", "import os, socket", "import ssl as s", "from threading import Thread",
        "import multiprocessing.pool", "from concurrent.futures import ThreadPoolExecutor",
        "import ctypes", "import signal", "import http.client", "import urllib.request",
        "from urllib import request", "from urllib.request import urlopen", "import ftplib",
        "import smtplib", "import shutil", "import tempfile", "import glob", "import pty",
        "import resource", "import mmap", "import faulthandler", "import importlib",
        "import importlib.util", "import gc", "import inspect", "import builtins", "import _thread",
        "from os import system", "from os import listdir as ls", "from os import *",
        "from io import open",
        "from asyncio import to_thread", "import asyncio.subprocess", "from . import x",
        "def f():\n    import socket", "try:\n    import socket\nexcept ImportError:\n    pass",
        "import executors.worker.guest",
    ],
)  # fmt: skip
def test_what_gives_effects_or_the_interpreter_is_no_import(code: str) -> None:
    assert kinds(code) == ["blocked_import"]


@pytest.mark.parametrize(
    "name", ["open", "exec", "eval", "compile", "input", "breakpoint", "__import__"]
)
def test_builtins_with_effects_are_refused_until_a_program_binds_the_name(name: str) -> None:
    assert kinds(f"x = {name}('a')") == ["blocked_name"]
    assert kinds(f"def f():\n    return [{name}]") == ["blocked_name"]
    assert kinds(f"{name} = 'text'\nprint({name})") == []
    assert problems(parse(f"print({name})"), "fs", {name: "of an earlier block"}) == []


@pytest.mark.parametrize(
    "code",
    [
        "x.__subclasses__()", "f.__globals__", "f.__code__", "f.__closure__",
        "e.__traceback__.tb_frame",
        "g.gi_frame", "c.cr_frame", "frame.f_back", "x.__builtins__",
        "import os\nos.system('ls')", "import os\nos.popen('ls')", "import os\nos.fork()",
        "import os\nos.execv('a', [])", "import os\nos.spawnl(0, 'a')", "import os\nos.kill(1, 9)",
        "import os\nos._exit(0)", "import os as o\no.listdir('.')",
        "import os.path\nos.remove('a')",
        "import os\nos.makedirs('a', exist_ok=True)", "import sys\nsys._getframe()",
        "import sys\nsys.settrace(None)", "import io\nio.open('a')", "import os\nf = os.walk",
    ],
)  # fmt: skip
def test_attributes_that_reach_outside_are_refused(code: str) -> None:
    assert kinds(code) == ["blocked_attribute"]


@pytest.mark.parametrize(
    "code",
    [
        "fs = 1", "fs: int = 1", "fs += 1", "(fs := 1)", "a, (fs, *b) = c", "[*fs] = c",
        "import os as fs",
        "import fs", "import fs.x", "from a import fs", "from a import b as fs", "def fs(): pass",
        "async def fs(): pass", "class fs: pass", "def f(fs): pass", "def f(*fs): pass",
        "def f(**fs): pass", "lambda fs: 1", "for fs in x: pass", "[1 for fs in x]",
        "with a as fs: pass", "try: pass\nexcept E as fs: pass", "del fs",
        "def f():\n    global fs",
        "match x:\n    case fs: pass", "match x:\n    case [*fs]: pass",
        "match x:\n    case {**fs}: pass", "match x:\n    case int() as fs: pass",
        "fs.read = 1", "fs.read += 1", "del fs.read", "for fs.read in x: pass", "ｆｓ = 1",
    ],
)  # fmt: skip
def test_the_proxys_name_is_bound_by_nothing(code: str) -> None:
    assert "proxy_rebound" in kinds(code)


@pytest.mark.parametrize(
    "code",
    [
        "import os, os.path, pathlib, io, sys, json, re, csv, asyncio, urllib.parse, zipfile, uuid",
        "import os\nos.path.join('a', os.sep)", "from os.path import basename",
        "from os import path",
        "from pathlib import PurePosixPath\nPurePosixPath('a').name", "import io\nio.StringIO('a')",
        "from urllib.parse import quote", "x.__class__.__name__", "x.__dict__", "f.__doc__",
        "import sys\nsys.exit(1)", "system = 1", "x.listdir", "self.open()", "fs.read(path='a')",
        "read = fs.read", "x.fs = 1", "f(fs=1)", "import re\nre.compile('a')", "{'fs': 1}",
        "import socketserver_of_mine", "from __future__ import annotations",
    ],
)  # fmt: skip
def test_ordinary_code_is_let_through(code: str) -> None:
    assert kinds(code) == []


def test_problems_come_in_source_order_with_their_lines() -> None:
    code = "x = 1\neval('1')\nimport socket; fs = 2\n"
    found = [(problem.line, problem.kind) for problem in problems(parse(code), "fs")]
    assert found == [(2, "blocked_name"), (3, "blocked_import"), (3, "proxy_rebound")]
    assert all("\n" not in problem.text for problem in problems(parse(code), "fs"))


@given(st.text())
def test_any_text_parses_or_is_a_syntax_error(code: str) -> None:
    with contextlib.suppress(SyntaxError):
        assert isinstance(parse(code), ast.Module)


@pytest.mark.parametrize("code", ["(" * 500 + ")" * 500, "x" + ".x" * 200_000, "-" * 100_000 + "1"])
def test_code_nested_too_deeply_is_a_syntax_error(code: str) -> None:
    with pytest.raises(SyntaxError):
        problems(parse(code), "fs")
