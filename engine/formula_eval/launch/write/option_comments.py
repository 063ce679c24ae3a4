"""Gives the reason for each option: the inputs that it states, who set them, what they are, and what reads them."""

from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result
from formula_eval.launch.to_options import WrittenOption, same
from formula_eval.launch.write.launch_values import LaunchValues
from formula_eval.records.origin import Origin
from formula_eval.records.record_files import find_record
from formula_eval.records.roles import roles_of


class Reasons:
    """The reasons for the options of one launch, by the formulas of the quantities that it is asked about."""

    def __init__(self, values: LaunchValues, asked: Result, evaluator: Evaluator) -> None:
        """The reasons where this is the answer."""
        self._values, self._evaluator = values, evaluator
        self._readers = _readers(asked, evaluator)

    def reason(self, option: WrittenOption) -> str:
        """Why the option says what it does."""
        known = [name for name in option.inputs if name in self._values.said]
        names = [name for name in known if same(self._values.said[name], option.value)][:1] or known
        told = ", ".join(self._told(name) for name in names)
        first = names[0]
        reader = next((self._readers[each] for each in names if each in self._readers), "")
        return f"{told}: {self._sentence(first)}.{f' {reader} reads it.' if reader else ''}"

    def _told(self, name: str) -> str:
        """An input, its value, and who set it unless it was asked for."""
        result = self._values.result
        origin = result[name].origin if name in result.values and name not in self._values.said["asked"] else ""
        by = " by default" if origin == Origin.DEFAULT else f" from {origin}" if origin else ""
        return f"{name} = {self._values.said[name]}{by}"

    def _sentence(self, name: str) -> str:
        """The sentence of an input or a formula, or the name of a record."""
        schema = self._evaluator.schema
        if name not in schema.kinds:
            return (schema.inputs[name] if name in schema.inputs else schema.formulas[name]).sentence
        if name == roles_of(self._evaluator.library).model:
            return schema.kinds[name].sentence
        found = find_record(self._evaluator.library, schema, name, str(self._values.said[name]))
        return str(found.data.get("name", schema.kinds[name].sentence))


def _readers(asked: Result, evaluator: Evaluator) -> dict[str, str]:
    """The formula nearest to an answer that reads an input, of those that count for something in it, by input."""
    graph = evaluator.graph
    found: dict[str, str] = {}
    seen, row = set(asked), list(asked)
    while row:
        below: list[str] = []
        for name in row:
            for parent in graph.parents[name]:
                if graph.nodes[parent].kind == "input":
                    found.setdefault(parent, graph.nodes[name].original or name)
                elif parent not in seen and asked.numbers.get(parent):
                    below.append(parent)
                seen.add(parent)
        row = below
    return found
