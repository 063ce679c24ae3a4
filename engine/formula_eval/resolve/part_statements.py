"""Declares the quantities of parts: each is one of the part's folder, with the inputs that the part gives."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.change import library_folder
from formula_eval.core.diagnostic import listed
from formula_eval.core.namespace import around, qualified
from formula_eval.core.span import Span
from formula_eval.resolve.scope import ColumnHome, Scope, Symbol

MOST_QUANTITIES = 5_000
MOST_PARTS = 300
_GIVEN = d.InputDeclaration | d.SituationDeclaration


def declare_parts(scope: Scope, chapters: Sequence[d.Chapter]) -> None:
    """Declare what the chapters read of each part; of a folder of the part's own library, all that stands in it."""
    _Parts(scope, tuple(_paths_read(chapters))).declare()


def _paths_read(chapters: Iterable[d.Chapter]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The dotted names that formulas read, each with the folder that it stands in."""
    for chapter in chapters:
        for declared in chapter.declarations:
            for expression in d.expressions_of(declared):
                for x in e.walk(expression):
                    if isinstance(x, e.Name) and len(x.path) > 1:
                        yield chapter.namespace, x.path


@dataclass(slots=True)
class _Parts:
    """`read` are the names in formulas, with the folders of these."""

    scope: Scope
    read: tuple[tuple[str, tuple[str, ...]], ...]
    known: dict[str, Symbol] = field(default_factory=dict)  # the parts, by name
    folders: dict[str, str] = field(default_factory=dict)  # of the parts that are sound, by name
    made: int = 0

    def declare(self) -> None:
        parts = (each for each in self.scope.symbols.values() if isinstance(each.declaration, d.PartDeclaration))
        self.known = {part.name: part for part in parts}
        if len(self.known) > MOST_PARTS:
            message = f"There are {len(self.known)} parts, and may be {MOST_PARTS}"
            last = next(reversed(self.known.values())).declaration.span
            self.scope.find("too-large", message, last, help="A table has a row for each of many that are alike.")
            self.scope.broken.update(self.known)
            return
        for name, symbol in self.known.items():
            folder = self._folder(symbol)
            if folder:
                self.folders[name] = folder
                self.scope.symbols[name] = self.known[name] = self._spelled_out(symbol, folder)
            else:
                self.scope.broken.add(name)
        sound: set[str] = set()
        for name in [*self.folders]:
            self._find_cycle(name, [], sound)
        for name in [*self.folders]:
            self._declare_whole(name, set())
        for namespace, path in self.read:
            self._declare_read(path, namespace)

    def _folder(self, part: Symbol) -> str:
        """The full name of the folder that a part uses; nothing, and a finding, where there is none."""
        declared = _part(part)
        written = ".".join(declared.folder.path)
        names = (qualified(space, written) for space in around(part.namespace))
        found = next((name for name in names if name in self.scope.namespaces), "")
        if not found and not self.scope.is_broken(declared.folder.path, part.namespace):
            help_ = (
                self.scope.nearest(written, self.scope.namespaces)
                or f"A part is a folder: {listed(sorted(filter(None, self.scope.namespaces)), 8)}."
            )
            self.scope.find(
                "unknown-folder", f"`{written}` is not a folder of formulas", declared.folder.span, help=help_
            )
        elif found and written == declared.name:
            message = f"The part `{declared.name}` bears the name of its folder"
            self.scope.find("hidden-name", message, declared.span, help="Give the part another name.")
            return ""
        elif found and found in around(part.namespace):
            message = f"The part `{part.name}` lies in the folder `{found}`, which it would hold itself"
            self.scope.find("cycle", message, declared.folder.span, help="Move the part to a folder outside.")
            return ""
        return found

    def _spelled_out(self, part: Symbol, folder: str) -> Symbol:
        """The part with whole names of its folder and of what it gives: names of the folder go first."""

        def whole(x: e.Binding | e.Situation) -> e.Binding | e.Situation:
            known = self.scope.declared(x.name.path, folder, _GIVEN)
            return x if known is None else replace(x, name=replace(x.name, path=tuple(known.name.split("."))))

        declared = _part(part)
        bindings = tuple(whole(binding) for binding in declared.bindings)
        path = replace(declared.folder, path=tuple(folder.split(".")))
        return part._replace(declaration=replace(declared, bindings=bindings, folder=path), written=declared)

    def _find_cycle(self, name: str, above: list[str], sound: set[str]) -> None:
        """Find parts whose folders hold each other, and take them out; the others are `sound`."""
        if name in sound or name not in self.folders:
            return
        if name in above:
            chain = above[above.index(name) :]
            spans = [_part(self.known[each]).folder.span for each in chain]
            message = f"These parts hold each other: {' -> '.join(f'`{text}`' for text in [*chain, name])}"
            self.scope.find("cycle", message, *spans, help="One of them has to use a folder without the others.")
            for each in chain:
                self.folders.pop(each, None)
            return
        for inner in self._inside(name):
            self._find_cycle(inner, [*above, name], sound)
        sound.add(name)

    def _inside(self, name: str) -> list[str]:
        """The parts that stand in the folder of a part."""
        return [folder for folder in self.folders if _lies_in(self.known[folder].namespace, self.folders[name])]

    def _declare_whole(self, name: str, done: set[str]) -> None:
        """Declare all of a part whose folder is of its own library, behind the parts in that folder."""
        part, folder = self.known[name], self.folders[name]
        if name in done or self.made > MOST_QUANTITIES:
            return
        done.add(name)
        for inner in self._inside(name):
            self._declare_whole(inner, done)
        for binding in _part(part).bindings:
            if isinstance(binding, e.Binding):
                self._declare_quantity(part, binding.name.path, folder)
        own = library_folder(part.declaration.span.file)
        for symbol in [*self.scope.symbols.values()]:
            if _lies_in(symbol.namespace, folder) and library_folder(symbol.declaration.span.file) == own:
                self._declare_quantity(part, tuple(symbol.name[len(folder) + 1 :].split(".")), folder)

    def _declare_read(self, path: tuple[str, ...], namespace: str) -> None:
        for space in around(namespace):
            for length in range(1, len(path)):
                name = qualified(space, ".".join(path[:length]))
                if name in self.folders:
                    self._declare_quantity(self.known[name], path[length:], self.folders[name])
                    return

    def _declare_quantity(self, part: Symbol, path: tuple[str, ...], folder: str) -> None:
        """Declare what a path means in the folder of a part, under the name of the part."""
        found = self.scope.lookup(path, folder)
        if found is None or not _has_value(found[0].declaration, self.scope):
            return
        original = found[0]
        inside = (
            original.name.removeprefix(f"{folder}.").rpartition(".")[0] if _lies_in(original.namespace, folder) else ""
        )
        namespace = qualified(part.name, inside) if inside else part.name
        name = qualified(namespace, original.declaration.name)
        if name in self.scope.symbols:
            return
        self.made += 1
        if self.made == MOST_QUANTITIES + 1:
            message = f"The parts have more than {MOST_QUANTITIES:,} quantities"
            self.scope.find("too-large", message, part.declaration.span, help="Let parts use smaller folders.")
        if self.made <= MOST_QUANTITIES:
            self.scope.symbols[name] = _Namesake(self.scope, part, original).declare(name, namespace)


def _part(symbol: Symbol) -> d.PartDeclaration:
    assert isinstance(symbol.declaration, d.PartDeclaration)  # noqa: S101 - for the type checker
    return symbol.declaration


def _lies_in(namespace: str, folder: str) -> bool:
    return f"{namespace}.".startswith(f"{folder}.")


def _has_value(declared: d.Declaration, scope: Scope) -> bool:
    """Whether a part has it: no record, nothing that may be absent, and no table whose rows records fill."""
    if isinstance(declared, d.InputDeclaration):
        return not (declared.optional or (declared.type and declared.type.alternatives[0] in scope.kinds))
    if isinstance(declared, d.TableDeclaration):
        return not declared.supplier and bool(declared.rows)
    return isinstance(declared, d.FormulaDeclaration | d.CheckDeclaration)


@dataclass(frozen=True, slots=True)
class _Namesake:
    """Declares a quantity of a part as the `original` one of its folder, with what the part gives."""

    scope: Scope
    part: Symbol
    original: Symbol

    def declare(self, name: str, namespace: str) -> Symbol:
        declared = self.original.declaration
        notes = replace(declared.notes, examples=(), symbol=self._symbol(declared.notes.symbol))
        given = {
            binding.name.path: binding.value for binding in _part(self.part).bindings if isinstance(binding, e.Binding)
        }
        value = given.get(tuple(self.original.name.split(".")), self._there_named())
        if isinstance(declared, d.TableDeclaration):
            return self._table(declared, Symbol(name, namespace, declared, of=self.original.name))
        if isinstance(declared, d.CheckDeclaration):
            parts = (
                expression if isinstance(expression, str) else self._there(self._spelled(expression))
                for expression in declared.message
            )
            message = (f"{self.part.declaration.name}: ", *parts)
            units = (None, *declared.units) if declared.units else ()
            check = replace(declared, condition=value, message=message, units=units, notes=notes, span=self._span)
            return Symbol(name, namespace, check, of=self.original.name)
        assert isinstance(declared, d.InputDeclaration | d.FormulaDeclaration)  # noqa: S101 - the others have no value
        type_ = self._type(declared.type, self.original.namespace)
        formula = d.FormulaDeclaration(name=declared.name, type=type_, expression=value, notes=notes, span=self._span)
        return Symbol(name, namespace, formula, of=self.original.name)

    def _table(self, declared: d.TableDeclaration, symbol: Symbol) -> Symbol:
        """Its cells are those of the original; so is its end, where inputs say how many rows there are."""
        homes = self.original.homes
        columns = tuple(
            d.ColumnDeclaration(
                name=column.name,
                type=self._type(column.type, homes[column.name].of_type),
                expression=None if column.name in declared.indices else self._there_named(column.name),
                notes=column.notes,
                span=self._span,
            )
            for column in declared.columns
        )
        rows = tuple(
            replace(row, cells=tuple(cell for cell in row.cells if cell[0] in declared.indices), namespace=None)
            for row in declared.rows
        )
        loops = tuple(
            replace(loop, high=self._there(self._spelled(loop.high)))
            if loop.is_bounded and loop.high is not None
            else loop
            for loop in declared.loops
        )
        table = replace(declared, columns=columns, rows=rows, loops=loops, like=None, open=False, span=self._span)
        table = replace(table, rows_of=None, taken=frozenset())
        names = frozenset(column.name for column in columns)
        home = ColumnHome(symbol.namespace, symbol.namespace, names, inherited=True)
        return symbol._replace(declaration=table, written=table, homes=dict.fromkeys(names, home))

    def _there_named(self, *inside: str) -> e.Expression:
        """The original, or a column of it, with what the part gives."""
        return self._there(e.Name((*self.original.name.split("."), *inside), span=self._span))

    @property
    def _span(self) -> Span:
        return self.part.declaration.span

    def _there(self, x: e.Expression) -> e.Expression:
        """The value with what the part gives."""
        name = e.Name((self.part.declaration.name,), span=self._span)
        return e.With(x, (e.Situation(name, span=self._span),), span=self._span)

    def _spelled(self, x: e.Expression) -> e.Expression:
        """The expression with whole names, so that it can stand in another folder."""
        path = x.path if isinstance(x, e.Name) else tuple(x.function.split(".")) if isinstance(x, e.Call) else ()
        found = self.scope.lookup(path, self.original.namespace) if path else None
        if found is not None and isinstance(x, e.Name):
            return replace(x, path=(*found[0].name.split("."), *found[1]))
        if found is not None and isinstance(x, e.Call):
            x = replace(x, function=found[0].name)
        return e.rebuild(x, self._spelled)

    def _type(self, written: e.TypeText | None, namespace: str) -> e.TypeText | None:
        """The type, a choice by its whole name."""
        if written is None or len(written.alternatives) > 1:
            return written
        (text,) = written.alternatives
        choice = self.scope.choice(text, namespace)
        rows = self.scope.lookup(tuple(text.split(".")), namespace)
        name = choice.name if choice is not None else rows[0].name if rows is not None else text
        return replace(written, alternatives=(name,))

    def _symbol(self, latex: str) -> str:
        """The symbol with the name of the part above it."""
        name = self.part.declaration.name.replace("_", r"\_")
        return rf"{{{latex}}}^{{\mathrm{{{name}}}}}" if latex else ""
