"""What clang says of the C and C++ files of a checkout, read as they lie, without a build.

clang-oracle.py <checkout> <output>. Needs the Python binding of libclang. ORACLE_ARGUMENTS may hold further arguments of
the compiler. Constructors are their classes; names from inside macros count for nobody.
"""

import ctypes
import json
import os
import re
import sys

from clang import cindex
from clang.cindex import CursorKind as Kind

ROOT, OUTPUT = os.path.realpath(sys.argv[1]), sys.argv[2]
SOURCE = re.compile(r"\.(c|cc|cpp|cxx)$")
TEST = re.compile(r"(^|/)(tests?|benchmarks?|third_party|examples?|fuzzing)/|(_|-)?test[^/]*$")
KINDS = {
    Kind.FUNCTION_DECL: "function",
    Kind.CXX_METHOD: "method",
    Kind.FUNCTION_TEMPLATE: "function",
    Kind.STRUCT_DECL: "type",
    Kind.CLASS_DECL: "type",
    Kind.CLASS_TEMPLATE: "type",
    Kind.UNION_DECL: "type",
    Kind.ENUM_DECL: "type",
    Kind.TYPEDEF_DECL: "type",
    Kind.TYPE_ALIAS_DECL: "type",
    Kind.FIELD_DECL: "property",
    Kind.ENUM_CONSTANT_DECL: "property",
    Kind.VAR_DECL: "variable",
    Kind.MACRO_DEFINITION: "macro",
}
USES = {
    Kind.DECL_REF_EXPR,
    Kind.MEMBER_REF_EXPR,
    Kind.MEMBER_REF,
    Kind.TYPE_REF,
    Kind.TEMPLATE_REF,
    Kind.MACRO_INSTANTIATION,
}
TYPES = {Kind.STRUCT_DECL, Kind.CLASS_DECL, Kind.CLASS_TEMPLATE, Kind.UNION_DECL}


class Account:
    def __init__(self):
        self.symbols = []
        self.ids = {}
        self.by_place = {}
        self.names = {}
        self.families = {}
        self.texts = {}

    def lines(self, path):
        if path not in self.texts:
            with open(path, encoding="utf-8", errors="replace") as file:
                self.texts[path] = file.read().split("\n")
        return self.texts[path]

    def place(self, cursor):
        """Path, line and column of a name that is written in the checkout; None for any other."""
        location = cursor.location
        if location.file is None:
            return None
        path = os.path.realpath(location.file.name)
        if not path.startswith(ROOT + os.sep):
            return None
        name = re.sub(r"^(struct|class|union|enum) |.*::|<.*", "", cursor.spelling)
        line = self.lines(path)[location.line - 1] if location.line <= len(self.lines(path)) else ""
        column = len(line.encode()[: location.column - 1].decode(errors="replace").encode("utf-16-le")) // 2
        if name == "" or re.match(re.escape(name) + r"\b", line[column:]) is None:
            return None
        return path[len(ROOT) + 1 :], location.line, column

    def symbol(self, cursor):
        """The symbol that a declaration is of: one for all declarations of a thing."""
        kind = KINDS.get(cursor.kind)
        if kind == "variable" and cursor.semantic_parent.kind not in (Kind.TRANSLATION_UNIT, Kind.NAMESPACE, *TYPES):
            return None
        if kind == "variable" and cursor.semantic_parent.kind in TYPES:
            kind = "property"
        if kind == "function" and cursor.semantic_parent is not None and cursor.semantic_parent.kind in TYPES:
            kind = "method"
        place = None if kind is None else self.place(cursor)
        if place is None:
            return None
        key = self.key(cursor) or ":".join(map(str, place))
        if key not in self.ids:
            # What is `static` in a header has a name of its own in each file that includes it.
            self.ids[key] = self.by_place.setdefault(place, len(self.symbols))
        if self.ids[key] == len(self.symbols):
            self.symbols.append({"kind": kind, "name": cursor.spelling, "places": [], "isTest": False})
        one = self.symbols[self.ids[key]]
        if list(place) not in one["places"]:
            one["places"].append(list(place))
            one["isTest"] = one["isTest"] or TEST.search(place[0]) is not None
        self.note(place, 1, self.ids[key])
        return self.ids[key]

    def key(self, cursor):
        """Names a thing; `typedef struct a {} a` is one."""
        if cursor.kind == Kind.TYPEDEF_DECL:
            tag = cursor.underlying_typedef_type.get_declaration()
            if tag.spelling.split(" ")[-1] == cursor.spelling and tag.get_usr() != "":
                return tag.get_usr()
        return cursor.get_usr()

    def note(self, place, flags, target):
        path, line, column = place
        row = self.names.setdefault(path, {}).setdefault((line, column), [0, set()])
        row[0] |= flags
        row[1].add(target)

    def use(self, cursor, place):
        meant = cursor.referenced
        if meant is None:
            return
        if meant.kind in (Kind.CONSTRUCTOR, Kind.DESTRUCTOR):
            meant = meant.semantic_parent
        target = self.ids.get(self.key(meant))
        # A function that is only guessed from its call is not known.
        if target is None and meant.kind == Kind.FUNCTION_DECL and self.place(meant) == place:
            return
        self.note(place, 0, -1 if target is None else target)

    def overrides(self, cursor, symbol):
        found, count = ctypes.POINTER(cindex.Cursor)(), ctypes.c_uint()
        cindex.conf.lib.clang_getOverriddenCursors(cursor, ctypes.byref(found), ctypes.byref(count))
        for at in range(count.value):
            other = self.ids.get(found[at].get_usr())
            if other is not None:
                self.families.setdefault(symbol, set()).add(other)

    def write(self):
        around = {}

        def root(one):
            while around.get(one, one) != one:
                one = around[one]
            return one

        for one, others in self.families.items():
            for other in others:
                around[root(one)] = root(other)
        groups = {}
        for one in {*self.families, *(other for others in self.families.values() for other in others)}:
            groups.setdefault(root(one), []).append(one)
        names = {
            path: [
                [line, column, flags, -1, *sorted(targets - {-1} or targets)]
                for (line, column), (flags, targets) in sorted(rows.items())
            ]
            for path, rows in self.names.items()
        }
        with open(OUTPUT, "w", encoding="utf-8") as file:
            json.dump({"symbols": self.symbols, "names": names, "families": list(groups.values())}, file)


def cursors(unit):
    """All cursors that stand in the checkout; what lies outside is not looked into."""
    for top in unit.cursor.get_children():
        file = top.location.file
        if file is not None and os.path.realpath(file.name).startswith(ROOT + os.sep):
            yield from top.walk_preorder()


def header_folders():
    return sorted({folder for folder, _, names in os.walk(ROOT) for name in names if re.search(r"\.(h|hpp|hh)$", name)})


def arguments(path, headers):
    """An include is looked for beside the file, then in every folder that has headers."""
    folders = [ROOT, os.path.join(ROOT, "include"), os.path.dirname(path), *headers]
    language = ["-x", "c", "-std=gnu11"] if path.endswith(".c") else ["-x", "c++", "-std=c++17"]
    return [
        *language,
        *(f"-I{folder}" for folder in dict.fromkeys(folders)),
        *os.environ.get("ORACLE_ARGUMENTS", "").split(),
    ]


def main():
    paths = sorted(
        os.path.join(folder, name) for folder, _, names in os.walk(ROOT) for name in names if SOURCE.search(name)
    )
    index = cindex.Index.create()
    account = Account()
    keep_going = 0x200
    options = cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD | keep_going
    units = []
    headers = header_folders()
    for path in paths:
        try:
            units.append(index.parse(path, args=arguments(path, headers), options=options))
        except cindex.TranslationUnitLoadError:
            continue
    # Declarations of all files first: a use may come before the definition is read.
    for unit in units:
        for cursor in cursors(unit):
            if cursor.kind in KINDS:
                symbol = account.symbol(cursor)
                if symbol is not None and cursor.kind == Kind.CXX_METHOD:
                    account.overrides(cursor, symbol)
    for unit in units:
        for cursor in cursors(unit):
            if cursor.kind in USES:
                place = account.place(cursor)
                if place is not None:
                    account.use(cursor, place)
    account.write()
    print(f"clang: {len(units)} of {len(paths)} files")


main()
