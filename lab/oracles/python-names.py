"""Names, calls and declarations of Python files: paths on standard input, JSON on standard output.

Columns count UTF-16 units. Of each file: names [line, column, 1 when declared by def or class and 2 when called, places of
the declarations around a call, the outermost first].
"""

import ast
import io
import json
import sys
import tokenize


def units(text):
    return len(text.encode("utf-16-le")) // 2


def column_of(lines, line, offset):
    """Turns an offset in bytes into UTF-16 units."""
    return units(lines[line - 1].encode()[:offset].decode(errors="replace"))


class Reader(ast.NodeVisitor):
    def __init__(self, tokens):
        self.tokens = tokens
        self.calls = {}
        self.around = []
        self.declared = set()
        self.first = {}

    def place_after(self, line, column, name):
        """The token of a name at or behind a place."""
        for at in self.tokens.get(name, ()):
            if at >= (line, column):
                return at
        return None

    def visit_body(self, node):
        place = self.place_after(node.lineno, 0, node.name)
        self.declared.add(place)
        # Overloads and setters are known by the first that bears the name.
        first = self.first.setdefault((tuple(self.around), node.name), place or (0, 0))
        self.around.append(first)
        # What makes a decorator is called for what it decorates.
        for decorator in node.decorator_list:
            self.visit(decorator)
        for field, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if field != "decorator_list" and isinstance(child, ast.AST):
                    self.visit(child)
        self.around.pop()

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_body

    def visit_Call(self, node):
        self.note_call(node.func)
        self.generic_visit(node)

    def visit_Raise(self, node):
        # A class that is raised by its name is made.
        self.note_call(node.exc)
        self.generic_visit(node)

    def note_call(self, callee):
        if isinstance(callee, ast.Name):
            name, end = callee.id, (callee.end_lineno, callee.end_col_offset)
        elif isinstance(callee, ast.Attribute):
            name, end = callee.attr, (callee.end_lineno, callee.end_col_offset)
        else:
            name, end = None, None
        if name is not None:
            self.calls[(end[0], end[1] - len(name.encode()))] = list(self.around)


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    lines = text.split("\n")
    tokens = {}
    names = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME:
            tokens.setdefault(token.string, []).append(token.start)
            names.append(token)
    reader = Reader(tokens)
    reader.visit(ast.parse(text))
    calls = {(line, column_of(lines, line, offset)): around for (line, offset), around in reader.calls.items()}
    rows = []
    for token in names:
        line, start = token.start
        column = units(lines[line - 1][:start])
        around = calls.get((line, column))
        flags = (1 if token.start in reader.declared else 0) | (0 if around is None else 2)
        rows.append([line, column, flags, *(one for place in around or () for one in place)])
    return rows


found = {}
for path in sys.stdin.read().split("\n"):
    try:
        found[path] = read(path)
    except (OSError, SyntaxError, ValueError, RecursionError, tokenize.TokenError):
        continue
json.dump(found, sys.stdout)
