"""Static checks of a block before it runs: a clear contract, not the security boundary.

Standard library only. What they refuse would fail in the sandbox anyway, later and less clearly.
"""

import ast
import warnings
from collections.abc import Container, Iterator
from typing import Literal, NamedTuple, TypeAlias

__all__ = ["CheckKind", "Problem", "parse", "problems"]

CheckKind: TypeAlias = Literal[
    "blocked_import", "blocked_name", "blocked_attribute", "proxy_rebound"
]


class Problem(NamedTuple):
    """One thing a block must not hold: where (line from 1, column in bytes), which, and why."""

    line: int
    column: int
    kind: CheckKind
    text: str


_MODULES = {
    "no processes or threads": """
        subprocess threading _thread multiprocessing concurrent pty _posixsubprocess signal
        asyncio.subprocess""",
    "no network": """
        socket _socket ssl _ssl socketserver http urllib.request urllib.robotparser urllib.response
        ftplib smtplib poplib imaplib nntplib telnetlib xmlrpc webbrowser wsgiref select selectors
        asyncio.streams""",
    "no files": """
        shutil tempfile glob fileinput mmap fcntl linecache zipapp zipimport dbm shelve posix nt
        termios tty syslog""",
    "not the interpreter's insides": """
        ctypes _ctypes importlib imp runpy pkgutil builtins gc inspect code codeop pdb bdb trace
        tracemalloc faulthandler resource atexit site sysconfig marshal executors""",
}
_BLOCKED_MODULES = {name: why for why, names in _MODULES.items() for name in names.split()}

_BLOCKED_NAMES = frozenset({"open", "exec", "eval", "compile", "input", "breakpoint", "__import__"})

_INSIDE_NAMES = """
    __subclasses__ __globals__ __builtins__ __code__ __closure__ __loader__ __spec__ __import__
    f_back f_globals f_locals f_builtins f_code gi_frame gi_code tb_frame cr_frame cr_code
    ag_frame ag_code"""
_INSIDES = frozenset(_INSIDE_NAMES.split())
_ATTRIBUTES = {
    "os": """
        system popen fork forkpty kill killpg abort _exit listdir scandir walk fwalk open fdopen
        remove unlink rename renames replace rmdir removedirs mkdir makedirs mkfifo mknod link
        symlink readlink truncate chmod chown lchown chdir fchdir chroot access stat lstat utime
        read write pread pwrite close dup dup2 pipe pipe2 posix_spawn posix_spawnp wait waitpid
        putenv unsetenv sendfile memfd_create startfile nice setuid setgid""",
    "sys": "_getframe _current_frames settrace setprofile modules path_hooks meta_path",
    "io": "open open_code FileIO",
    "asyncio": """
        to_thread create_subprocess_exec create_subprocess_shell open_connection start_server
        open_unix_connection start_unix_server""",
}
_BLOCKED_ATTRIBUTES = {module: frozenset(names.split()) for module, names in _ATTRIBUTES.items()}
_WIDTH = 120
_PREFIXES = ("exec", "spawn")


def parse(code: str) -> ast.Module:
    """Parse a block, silently; SyntaxError, also for text that no parser takes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(code, "<block>")
        except (ValueError, RecursionError, MemoryError) as error:
            raise SyntaxError(f"the block cannot be parsed: {error}") from None


def problems(
    tree: ast.Module,
    proxy: str,
    namespace: Container[str] = (),
    private: frozenset[str] = frozenset(),
) -> list[Problem]:
    """Return what is refused, in source order.

    `proxy` is the name that tools are called through, `namespace` holds the names that earlier
    blocks bound: a program's own `input` is no blocked name. `private` names belong to the
    environment alone, and are blocked where they are not the program's own.
    """
    nodes = list(ast.walk(tree))
    own = {name for node in nodes for name in _bindings(node)}
    names = _BLOCKED_NAMES | private
    blocked = {name for name in names if name not in own and name not in namespace}
    modules = dict(_module_names(nodes))
    return sorted(
        {problem for node in nodes for problem in _of_node(node, proxy, modules, blocked)}
    )


def _of_node(
    node: ast.AST, proxy: str, modules: dict[str, str], blocked: set[str]
) -> Iterator[Problem]:
    match node:
        case ast.Import(names=names):
            for alias in names:
                yield from _imported(node, alias.name)
        case ast.ImportFrom(module=module, names=names, level=level):
            if level:
                yield _problem(node, "blocked_import", "there is no package to import from")
            for alias in names:
                yield from _imported_from(node, module or "", alias.name)
        case ast.Name(id=name, ctx=ast.Load()) if name in blocked:
            yield _problem(node, "blocked_name", f"{name} is not available to a program")
        case ast.Attribute(value=value, attr=name):
            if name in _INSIDES:
                yield _problem(node, "blocked_attribute", f"{name} reaches into the interpreter")
            elif name.startswith("_") and _root(value) == proxy:
                text = f"{name} is private: of {proxy} a program has the tools alone"
                yield _problem(node, "blocked_attribute", text)
            if isinstance(value, ast.Name) and _is_effect(modules.get(value.id, ""), name):
                text = f"{modules[value.id]}.{name} is not available: tools are the only effects"
                yield _problem(node, "blocked_attribute", text)
        case _:
            pass
    for bound in _bindings(node):
        if bound == proxy:
            text = f"{proxy} is the name that tools are called through; it cannot be rebound"
            yield _problem(node, "proxy_rebound", text)
    if (
        isinstance(node, ast.Attribute)
        and not isinstance(node.ctx, ast.Load)
        and isinstance(node.value, ast.Name)
        and node.value.id == proxy
    ):
        yield _problem(node, "proxy_rebound", f"attributes of {proxy} cannot be set or deleted")


def _root(value: ast.expr) -> str | None:
    while isinstance(value, ast.Attribute):
        value = value.value
    return value.id if isinstance(value, ast.Name) else None


def _imported(node: ast.AST, module: str) -> Iterator[Problem]:
    parts = module.split(".")
    for end in range(1, len(parts) + 1):
        why = _BLOCKED_MODULES.get(".".join(parts[:end]))
        if why is not None:
            yield _problem(node, "blocked_import", f"import of {module} is not allowed: {why}")
            return


def _imported_from(node: ast.AST, module: str, name: str) -> Iterator[Problem]:
    inner = list(_imported(node, module)) or list(_imported(node, f"{module}.{name}"))
    if not inner and _is_effect(module, name):
        text = f"{module}.{name} is not available: tools are the only effects"
        inner = [_problem(node, "blocked_import", text)]
    yield from inner


def _is_effect(module: str, name: str) -> bool:
    names = _BLOCKED_ATTRIBUTES.get(module)
    if names is None:
        return False
    return name in names or name == "*" or (module == "os" and name.startswith(_PREFIXES))


def _module_names(nodes: list[ast.AST]) -> Iterator[tuple[str, str]]:
    """Yield the names that stand for a module somewhere in the block, with the module's name."""
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname is not None or "." not in alias.name:
                    yield alias.asname or alias.name, alias.name
                else:
                    top = alias.name.partition(".")[0]
                    yield top, top


def _bindings(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node binds or unbinds itself."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.Import(names=names):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in names)
        case ast.ImportFrom(names=names):
            yield from (alias.asname or alias.name for alias in names)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.arg(arg=name):
            yield name
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            yield from names
        case (
            ast.ExceptHandler(name=str(name))
            | ast.MatchAs(name=str(name))
            | ast.MatchStar(name=str(name))
            | ast.MatchMapping(rest=str(name))
        ):
            yield name
        case _:
            pass


def _problem(node: ast.AST, kind: CheckKind, text: str) -> Problem:
    return Problem(getattr(node, "lineno", 1), getattr(node, "col_offset", 0), kind, text[:_WIDTH])
