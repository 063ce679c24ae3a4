"""Prints a quantity over its free inputs in closed form: as an equation, as SymPy, LaTeX or Python, or evaluated."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import refuse
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.type import Choice, Flag, Quantity
from formula_eval.evaluate.derivative import derivative, has_steps
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.specialise import Specialised
from formula_eval.language.keywords import reserved_words
from formula_eval.language.reader import Reader
from formula_eval.printing.identifiers import distinct
from formula_eval.printing.latex import LatexPrinter, upright
from formula_eval.printing.python import PRELUDE, PythonPrinter
from formula_eval.records.input_names import input_named
from formula_eval.records.origin import Origin
from formula_eval.records.values import InBaseUnits, Number, read_value


class ClosedFormLine(NamedTuple):
    """One equation of a closed form: its name, its right side in the formula language, and its meaning."""

    name: str
    text: str
    unit: str
    sentence: str


@dataclass(frozen=True)
class ClosedForm:
    """A quantity over free inputs, with everything else substituted.

    `lines` are its equations, the quantity first, then what stands in it under a name of its own. Numbers are in base
    units (byte, FLOP, s, USD, J). `by` are the inputs that it was differentiated by.
    """

    specialised: Specialised
    evaluator: Evaluator
    quantity: str
    by: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the quantity; of a derivative, with what was differentiated by what."""
        return "".join("d " for _ in self.by) + self.quantity + "".join(f" / d {each}" for each in self.by)

    @property
    def free(self) -> tuple[str, ...]:
        """The free inputs that it depends on."""
        return self.specialised.read

    @property
    def unit(self) -> str:
        """The base unit of its value; empty for a plain number."""
        node = self._graph.nodes[self.quantity]
        dimension = node.type.dimension if isinstance(node.type, Quantity) else None
        for name in self.by:
            divisor = self._graph.nodes[name].type
            dimension = dimension / divisor.dimension if dimension and isinstance(divisor, Quantity) else dimension
        return str(dimension) if dimension and dimension.exponents else ""

    @property
    def has_steps(self) -> bool:
        """Whether it is rounded somewhere, so that it grows in steps; a derivative holds between them."""
        return has_steps(self.specialised)

    @property
    def expr(self) -> Any:  # noqa: ANN401 - a SymPy expression
        """One SymPy expression of the free inputs, by their names, in base units and with exact rationals."""
        from formula_eval.symbolic.expressions import flag_symbol, quantity_symbol  # noqa: PLC0415 - a second to load
        from formula_eval.symbolic.with_units import without_units  # noqa: PLC0415

        nodes = self._graph.nodes
        known: dict[str, Any] = {
            each: (flag_symbol if isinstance(nodes[each].type, Flag) else quantity_symbol)(each)
            for each in self.specialised.free
        }
        for name, x in self.specialised.formulas.items():
            known[name] = without_units(x, known.__getitem__)
        return known[self.specialised.name]

    def diff(self, by: str) -> "ClosedForm":
        """Its derivative by a free input; between the steps of a rounding, and on the branch that is taken.

        Raises:
            FormulaError: for an input that is not free, or is not a number.

        """
        name = input_named(by, self.evaluator.schema)
        if name not in self.specialised.free:
            help_ = f"Free are {', '.join(self.specialised.free) or 'none'}: name it among them."
            raise refuse("not-free", f"`{by}` is not free", help=help_)
        if not isinstance(self._graph.nodes[name].type, Quantity):
            raise refuse(
                "no-quantity", f"`{name}` is a word or a flag, so nothing grows with it", help="Take a number."
            )
        if not isinstance(self._graph.nodes[self.quantity].type, Quantity):
            raise refuse(
                "no-quantity", f"`{self.quantity}` is not a number, so it does not grow", help="Take a number."
            )
        found = derivative(self.specialised, name, self.evaluator.library.units)
        return replace(self, specialised=found, by=(*self.by, name))

    def evaluate(self, **free: Any) -> float:  # noqa: ANN401 - any input
        """The value where the free inputs are these: numbers in base units, texts with any unit, words.

        Raises:
            FormulaError: for a value that is missing or unfit, or where the quantity has none.

        """
        schema = self.evaluator.schema
        values: dict[str, Number] = {}
        for said, value in free.items():
            name = input_named(said, schema)
            plain = isinstance(value, int | float) and not isinstance(value, bool)
            read = InBaseUnits(float(value)) if plain else value
            values[name] = read_value(read, schema.inputs[name], schema.units, Origin.ARGUMENT)
        missing = [each for each in self.free if each not in values]
        if missing:
            raise refuse("missing-input", f"`{self.name}` depends on {', '.join(missing)}", help="Give each a value.")
        try:
            return self._function(*(values[each] for each in self.free))
        except (ArithmeticError, ValueError) as error:
            raise refuse("not-a-number", f"`{self.name}` has no value there: {error}") from error

    @cached_property
    def _function(self) -> Callable[..., float]:
        names: dict[str, Any] = {}
        exec(f"{PRELUDE}\n{self.python}", names)  # noqa: S102 - printed from trees, never from text
        found: Callable[..., float] = names[self._python_name]
        return found

    @property
    def _graph(self) -> FormulaGraph:
        return self.evaluator.graph

    def _node(self, name: str) -> Node:
        """The node of a formula, or the one whose derivative it is."""
        return self._graph.nodes[name.rstrip("'")]

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Short unique names for free inputs and formulas, made from the last part of each."""
        wishes = [(name, self._wish(name)) for name in (*self.specialised.free, *self.specialised.formulas)]
        return distinct(wishes, {*reserved_words(), *_TAKEN, *self.evaluator.library.units.units}, "_")

    def _wish(self, name: str) -> str:
        node = self._node(name)
        word = node.base.rpartition(".")[2]
        if node.cell is not None:
            word = f"{node.cell.row}_{node.cell.column}"
        return word + "_slope" * (len(name) - len(name.rstrip("'")))

    @property
    def _python_name(self) -> str:
        return self.names[self.specialised.name]

    @property
    def python(self) -> str:
        """A function of the free inputs that rounds exactly as the engine does; it calls builtins of Python and `math`.

        `min`, `max`, `ceil`, `floor`, `round`, `largest_divisor` are those of an exported module, with the same names.
        """
        *others, (last, result) = self.specialised.formulas.items()
        names = self.names.__getitem__
        parameters = ", ".join(names(name) for name in self.free)
        head = f"def {self._python_name}({parameters}):"
        sentence = self._node(last).sentence
        about = f'    """{sentence.rstrip(".")}{f", in {self.unit}" if self.unit else ""}."""'
        body = [f"    {names(name)} = {PythonPrinter(names).text(x)}" for name, x in others]
        return "\n".join((head, about, *body, f"    return {PythonPrinter(names).text(result)}", ""))

    @cached_property
    def _printed(self) -> tuple[tuple[ClosedFormLine, ...], bool]:
        from formula_eval.symbolic.expressions import flag_symbol, quantity_symbol  # noqa: PLC0415 - a second to load
        from formula_eval.symbolic.formula_text import FormulaText  # noqa: PLC0415
        from formula_eval.symbolic.with_units import with_units  # noqa: PLC0415

        def symbol(name: str) -> Any:  # noqa: ANN401 - a SymPy symbol
            make = flag_symbol if isinstance(self._node(name).type, Flag) else quantity_symbol
            return make(self.names[name])

        types = {self.names[each]: self._node(each).type for each in self.specialised.free}
        words = {name: type_.values for name, type_ in types.items() if isinstance(type_, Choice)}
        printer = FormulaText(words, [self.names[each] for each in self.specialised.free])
        units = self.evaluator.library.units
        lines = []
        for name, x in reversed(tuple(self.specialised.formulas.items())):
            text = printer.text(with_units(x, symbol, units))
            node = self._node(name)
            unit = self.unit if name == self.specialised.name else _unit(node)
            lines.append(ClosedFormLine(self.names[name], text, unit, node.sentence))
        return tuple(lines), printer.rounded

    @property
    def lines(self) -> tuple[ClosedFormLine, ...]:
        """The equations, the quantity first."""
        return self._printed[0]

    @property
    def is_rounded(self) -> bool:
        """Whether a number in the lines has more digits than are written there."""
        return self._printed[1]

    @property
    def latex(self) -> str:
        """The equations in LaTeX, one a line, with the symbols of their authors."""
        reader = Reader(self.evaluator.library.units, self.evaluator.cache)
        symbols = self._symbols
        found = []
        for number, line in enumerate(self.lines):
            read, findings = reader.expression(line.text, "closed form")
            if read is None:
                raise refuse("unreadable", f"`{line.name}` cannot be set: {findings[0].message}")
            left = self._left if number == 0 and self.by else symbols(line.name) or upright(line.name)
            found.append(f"{left} = {LatexPrinter(symbols).text(read)}")
        return "\n".join(found)

    @property
    def _left(self) -> str:
        """The derivative sign for the left side."""
        by = [self._symbols(self.names[name]) or upright(self.names[name]) for name in self.by]
        whole = self._node(self.quantity).declaration.notes.symbol or upright(self.quantity.rpartition(".")[2])
        order = f"^{len(by)}" if len(by) > 1 else ""
        below = " ".join(rf"\partial {name}" for name in by)
        return rf"\frac{{\partial{order} {whole}}}{{{below}}}"

    @cached_property
    def _symbols(self) -> Callable[[str], str]:
        """A function from each name to its author's symbol, or to no text where two share one."""
        named = {
            short: self._node(name).declaration.notes.symbol
            for name, short in self.names.items()
            if not name.endswith("'") and self._node(name).cell is None
        }
        several = list(named.values())
        unique = {short: symbol for short, symbol in named.items() if several.count(symbol) == 1}
        return lambda name: unique.get(name, "")

    def __call__(self, **free: Any) -> float:  # noqa: ANN401 - any input
        """The same as `evaluate`."""
        return self.evaluate(**free)


_ROUNDS = ("ceil", "floor", "round", "ceildiv", "floordiv", "remainder", "near", "near_part")
_TAKEN = ("added", "given", "nan", "inf", "math", "min", "max", "abs", "power", "largest", *_ROUNDS)


def _unit(node: Node) -> str:
    dimension = node.type.dimension if isinstance(node.type, Quantity) else None
    return str(dimension) if dimension and dimension.exponents else ""
