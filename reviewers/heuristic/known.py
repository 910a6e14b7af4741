"""What the code that ran so far binds, and which expressions only compute."""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from controlscope.boundaries import Boundary
from controlscope.continuations import proxy_calls

__all__ = ["Known", "known", "names"]

_PATHS = "basename dirname join normpath splitext"
_COMPUTE = {
    "": (
        "abs bool dict enumerate float int len list max min range repr reversed round set sorted "
        "str sum tuple zip"
    ),
    "os.path.": _PATHS,
    "posixpath.": _PATHS,
    "pathlib.": "Path PurePath PurePosixPath",
    "json.": "dumps loads",
    "re.": "findall fullmatch match search split sub",
}
_COMPUTE_BY_METHOD = (
    "as_posix casefold count endswith find format get group index isdigit items join joinpath keys "
    "lower lstrip partition relative_to removeprefix removesuffix replace rpartition rsplit rstrip "
    "split splitlines startswith strip title upper values with_name with_suffix zfill"
)
_PURE_CALLS = frozenset(
    prefix + name for prefix, listed in _COMPUTE.items() for name in listed.split()
)
_PURE_METHODS = frozenset(_COMPUTE_BY_METHOD.split())
_PURE_CLASSES = frozenset({"set", "pathlib.Path", "pathlib.PurePath", "pathlib.PurePosixPath"})
_PURE_NODES = (
    ast.Constant,
    ast.Name,
    ast.Attribute,
    ast.Subscript,
    ast.Slice,
    ast.Starred,
    ast.JoinedStr,
    ast.FormattedValue,
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.IfExp,
    ast.Tuple,
    ast.List,
    ast.Dict,
    ast.ListComp,
    ast.GeneratorExp,
    ast.comprehension,
    ast.Lambda,
    ast.arguments,
    ast.arg,
    ast.Call,
    ast.keyword,
    ast.expr_context,
    ast.operator,
    ast.unaryop,
    ast.boolop,
    ast.cmpop,
)


def names(*nodes: ast.AST) -> set[str]:
    """Return every name that is mentioned below the nodes."""
    return {node.id for root in nodes for node in ast.walk(root) if isinstance(node, ast.Name)}


@dataclass(frozen=True)
class Known:
    """The bindings of all code that may have run, whether or not it did.

    `imports` maps a name to what it imports, `bound` any other bound name to the names that its
    definitions lead to. `aliased`: the proxy is used other than as `proxy.tool(…)`, so that a call
    can hide anywhere. `opaque` are the variables that may be anything: iterators, which a look
    uses up, functions, or objects of the program's own classes. `taken` are the names in use.
    """

    imports: dict[str, str]
    bound: dict[str, set[str]]
    aliased: bool
    opaque: frozenset[str]
    taken: frozenset[str]

    def builtin(self, name: str) -> bool:
        """Tell whether a name still means Python's builtin."""
        return name not in self.bound and name not in self.imports

    def reachable(self, roots: Iterable[str]) -> set[str]:
        """Return the names that code reaches through what it mentions."""
        found: set[str] = set()
        waiting = list(roots)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting.extend(self.bound.get(name, ()))
        return found

    def pure(self, *expressions: ast.AST) -> bool:
        """Tell whether expressions only compute, by an allow-list of forms, calls and methods."""
        for node in (node for root in expressions for node in ast.walk(root)):
            if not isinstance(node, _PURE_NODES):
                return False
            if isinstance(node, ast.Name) and node.id in self.opaque:
                return False
            if isinstance(node, ast.Call) and not self._pure_call(node.func):
                return False
        return True

    def _pure_call(self, function: ast.expr) -> bool:
        method = isinstance(function, ast.Attribute) and function.attr in _PURE_METHODS
        return method or self.origin(function) in _PURE_CALLS

    def origin(self, function: ast.expr) -> str | None:
        """Return the dotted name of a builtin or of what was imported, or None."""
        match function:
            case ast.Name(name) if name not in self.bound:
                return self.imports.get(name, name)
            case ast.Attribute(ast.Name(name) | ast.Attribute(ast.Name(name)), attribute):
                if name in self.imports and name not in self.bound:
                    return f"{self.origin(function.value)}.{attribute}"
        return None


def known(boundary: Boundary) -> Known:
    """Collect the bindings of every reply, of every replacement and of the block that runs."""
    trees = [tree for code in _codes(boundary) if (tree := _parse(code))]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    imports: defaultdict[str, set[str]] = defaultdict(set)
    bound: defaultdict[str, set[str]] = defaultdict(set)
    for node in nodes:
        match node:
            case ast.Import(aliases):
                for alias in aliases:
                    first = alias.name.partition(".")[0]
                    imports[alias.asname or first].add(alias.name if alias.asname else first)
            case ast.ImportFrom(module, aliases):
                for alias in aliases:
                    imports[alias.asname or alias.name].add(f"{module}.{alias.name}")
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                bound[name] |= names(node)
            case ast.Name(name, ast.Store() | ast.Del()) | ast.ExceptHandler(name=str(name)):
                bound[name] |= set()
    for name, origins in imports.items():
        if len(origins) > 1:
            bound[name] |= set()
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    functions = {node.name for node in nodes if isinstance(node, definitions)}
    for node in nodes:
        match node:
            case ast.Assign([ast.Name(name)], ast.Lambda()):
                functions.add(name)
            case ast.Assign([ast.Name(name)], ast.Name(other)) if other in functions:
                functions.add(name)
    for node in nodes:
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value:
            for name in _targets(node):
                bound[name] |= _leads(node.value, functions, name in boundary.variables.module)
    mentions = sum(isinstance(node, ast.Name) and node.id == boundary.proxy for node in nodes)
    direct = sum(len(proxy_calls(tree, boundary.proxy)) for tree in trees)
    variables = boundary.variables
    bindings = Known(
        imports={name: min(origins) for name, origins in imports.items()},
        bound=dict(bound),
        aliased=mentions != direct,
        opaque=frozenset(),
        taken=frozenset(
            {boundary.proxy, *bound, *imports, *names(*trees), *variables.unexposed}
            | {*variables.block, *variables.module}
        ),
    )
    plain = _plain_objects(nodes, bindings)
    return replace(bindings, opaque=frozenset(functions | ({*variables.unexposed} - plain)))


def _plain_objects(nodes: list[ast.AST], bindings: Known) -> set[str]:
    """Return the variables that only ever got a set or a path, which have no JSON form either."""
    stores = Counter(
        node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
    plain: Counter[str] = Counter()
    for node in nodes:
        match node:
            case ast.Assign([ast.Name(name)], ast.Set() | ast.SetComp()):
                plain[name] += 1
            case ast.Assign([ast.Name(name)], ast.Call(function)):
                plain[name] += bindings.origin(function) in _PURE_CLASSES
    return {name for name, count in stores.items() if count == plain[name]}


def _leads(value: ast.expr, functions: set[str], data: bool) -> set[str]:
    """Return the names that a variable may lead to: aliases, closures, objects of own classes.

    A variable with a JSON form is data and leads to nothing but its alias.
    """
    if isinstance(value, ast.Name):
        return names(value)
    if data:
        return set()
    has_lambda = any(isinstance(node, ast.Lambda) for node in ast.walk(value))
    return names(value) if has_lambda else names(value) & functions


def _targets(node: ast.Assign | ast.AnnAssign | ast.NamedExpr) -> set[str]:
    """Return the variables that an assignment binds, or puts something into."""
    targets = [*node.targets] if isinstance(node, ast.Assign) else [node.target]
    found = set()
    while targets:
        match targets.pop():
            case ast.Tuple(parts) | ast.List(parts):
                targets = [*targets, *parts]
            case ast.Subscript(inner) | ast.Attribute(inner) | ast.Starred(inner):
                targets = [*targets, inner]
            case ast.Name(name):
                found.add(name)
    return found


def _codes(boundary: Boundary) -> set[str]:
    codes = {boundary.block.code}
    for entry in boundary.history.entries:
        if entry["kind"] == "reply":
            codes.update(block["code"] for block in entry["blocks"])
    for decision in boundary.decisions:
        codes.add((decision["operation"] or {}).get("code", ""))
    return codes


def _parse(code: str) -> ast.Module | None:
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return None  # Such a block never ran and binds nothing.
