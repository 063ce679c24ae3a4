"""Implements `search --launch`: writes the command or manifest that runs the best configuration."""

from typing import TYPE_CHECKING, NamedTuple

from formula_eval import export
from formula_eval.cli.output import say
from formula_eval.cli.terminal import print_or_write
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.formats import SHAPES
from formula_eval.launch.tables.launch_program import LaunchProgram
from formula_eval.launch.write import launch_values, several_nodes
from formula_eval.records.givens import Question
from formula_eval.records.roles import roles_of

if TYPE_CHECKING:
    from formula_eval.ask.search import SearchRequest


class LaunchEnding(NamedTuple):
    """The program that is to run the best, how its launch is wrapped, and whether a file that is named holds it."""

    program: LaunchProgram
    shape: str
    is_file: bool

    def request(self, request: "SearchRequest", evaluator: Evaluator) -> "SearchRequest":
        """The request of what options of this program can say; raises FormulaError where it does something else."""
        question = launch_values.question_for(self.program, request.question, roles_of(evaluator.library))
        sayable = launch_values.inputs_of(self.program)
        return request._replace(question=question, sayable=sayable, holds=self.program.where)

    def text(self, question: Question, evaluator: Evaluator) -> str:
        """What runs a configuration, told what to know of it; raises FormulaError."""
        found = export.launch.launch_for(self.program.id, self.shape, question, evaluator)
        for level, remark in found.remarks:
            say(f"{level}: {remark}", err=True)
        return found.text

    def write(self, text: str, output: str) -> None:
        """Write the launch, if there is one."""
        if text:
            print_or_write(text, output)
        say(f"{output}: what runs the best." if text else f"{output} is not written: nothing is best.", err=True)


def ending_of(program: str, shape: str | None, form: str | None, evaluator: Evaluator) -> LaunchEnding | None:
    """The ending that options ask for, if they do; raises FormulaError for one that cannot be."""
    if not program:
        if shape:
            message = f"`--as {shape}` says how, but nothing says what to launch"
            raise refuse("missing-value", message, help="Add --launch, such as --launch vllm.")
        return None
    if form in ("csv", "parquet"):
        message = f"`--launch` ends in a text, for which {form} has no place"
        raise refuse("bad-value", message, help="Leave out --format, or write --format json.")
    named = launch_values.program_named(program, evaluator)
    several_nodes.refuse_shape(named, shape or SHAPES[0])
    return LaunchEnding(named, shape or SHAPES[0], form is None)
