"""Builds a verb of the command line from a function: adds its options, reads its question, writes its output."""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from formula_eval import analyse, ask, export
from formula_eval.cli.errors import note_cache
from formula_eval.cli.options import question_options
from formula_eval.cli.output import say
from formula_eval.cli.question import note_grouped, question_of
from formula_eval.cli.terminal import print_or_write, this_screen
from formula_eval.cli.verb_command import QuestionCommand, evaluator_of
from formula_eval.core.option_names import option_of
from formula_eval.core.secrets import masked_forms
from formula_eval.export.shell_text import command_of
from formula_eval.export.terminal.screen import Screen
from formula_eval.records.answer_kind import usual_purpose
from formula_eval.records.givens import Question

if TYPE_CHECKING:
    from formula_eval.analyse.ineffective_inputs import Effects, Stated
    from formula_eval.evaluate.evaluator import Evaluator
    from formula_eval.export.plot.chart_data import Picture

INTERRUPTED = 130
_Request = TypeVar("_Request")


class Asked:
    """What a verb is asked: options are attributes by name, as in `asked.top`."""

    output: str | None = None
    plot: str | None = None

    def __init__(self, ctx: click.Context, options: dict[str, Any], *, several: bool) -> None:
        """Take the options of a context; with `several` they may have several values."""
        self.ctx = ctx
        self.options = options
        self.evaluator: Evaluator = evaluator_of(ctx)
        self.several = several
        self.tells_launch = True
        vars(self).update(options)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - the value of an option
            """An option of the verb."""

    @cached_property
    def question(self) -> Question:
        """The question that the options ask; raises FormulaError."""
        question = question_of(self.ctx, self.options, tells_launch=self.tells_launch)
        if self.several:
            note_grouped(question)
        return question

    def request(self, kind: type[_Request], **more: Any) -> _Request:  # noqa: ANN401 - fields of the request
        """The request of a kind, whose fields are called as the options are."""
        fields: Collection[str] = kind._fields  # type: ignore[attr-defined]
        said = {name: value for name, value in self.options.items() if name in fields}
        return kind(**{**({} if "questions" in fields else {"question": self.question}), **said, **more})

    @property
    def screen(self) -> Screen:
        """Where a text is read; a file has no colours."""
        return this_screen(coloured=self.output is None)

    def again(
        self,
        question: Question | None = None,
        *,
        only: Sequence[str] = (),
        verb: Sequence[str] = (),
        more: Sequence[str] = (),
    ) -> str:
        """The command line that asks this question again, or another one, however its inputs were stated.

        It has the words of the verb, what was asked and stated, and `more` behind it, as a shell reads them.
        """
        asked, kinds = question or self.question, self.evaluator.schema.kinds
        records = [(kinds[name].word if name in kinds else name, value) for name, value in asked.records.items()]
        stated = [*records, *asked.values.items()]
        if asked.launch is not None:
            stated += [("from", asked.launch.text)]
        elif asked.scenario:
            stated += [("inputs", asked.scenario)]
        stated += [("only", name) for name in only] + [("library", each) for each in self.options["library"]]
        words = [word for name, value in stated for word in (option_of(name), str(value))]
        return masked_forms(command_of(["formula-eval", *verb, *self._answer(asked), *words, *more]))

    def _answer(self, question: Question) -> list[str]:
        """The option that says what is asked about, unless the library or a launch command says so by itself."""
        library = self.evaluator.library
        asked = question.about(library)
        is_read = question.launch is not None and question.purpose and not question.namespace
        if is_read or asked in (usual_purpose(library), library.answer):
            return []
        return ["--answer", asked] if question.namespace else [f"--{asked}"]

    def tell_idle(self, only: Sequence[str] = (), others: Sequence[Question] = ()) -> None:
        """One note for each option that counts for nothing in an answer, or that what was named ignores."""
        question = others[0] if others else self.question
        if question.values or question.records or question.scenario:  # a bare question has nothing to tell
            self._note(ask.idle_notes.idle_notes(self.evaluator, question, only, others[1:]))

    def tell_ignored(
        self, effects: "Sequence[Effects]", stated: "Collection[Stated] | None" = None, *, of: Question | None = None
    ) -> None:
        """One note for each option that moves nothing of what is asked, in any of several configurations."""
        self._note(ask.idle_notes.ignored_notes(self.evaluator, of or self.question, effects, stated))

    def tell_defaults(
        self, names: Sequence[str], question: Question, without: Collection[str] = (), **more: Collection[str]
    ) -> None:
        """One note for each check of these quantities that names an input which nobody set."""
        self._note(analyse.default_remarks.default_remarks(self.evaluator, question, names, without, **more))

    def _note(self, notes: Iterable[str]) -> None:
        for note in notes:
            say(f"note: {note}", err=True)

    def write(self, text: str) -> None:
        """The answer on standard output or in the file that is to hold it."""
        print_or_write(text, self.output)

    def draw(self, picture: "Callable[[], Picture]") -> None:
        """Draw the picture where one was asked for; raises FormulaError."""
        if self.plot is not None:
            export.picture_file.write_picture(picture(), self.evaluator.library, self.plot, self.theme)
            say(f"{self.plot}: written.", err=True)


def verb(
    name: str,
    *shared: Callable[[Callable[..., Any]], Callable[..., Any]],
    several: bool = False,
    cls: type[QuestionCommand] = QuestionCommand,
) -> Callable[[Callable[[Asked], int | None]], click.Command]:
    """Make a function the command of a verb: behind its own options come those of a question, then `shared` ones.

    With `several`, options may have several values each.
    """

    def made(function: Callable[[Asked], int | None]) -> click.Command:
        def common() -> None:
            """Hold the shared options."""

        for option in reversed((question_options, *shared)):
            option(common)

        @wraps(function)
        def run(**options: Any) -> int | None:  # noqa: ANN401 - whatever options hold
            if options.get("plot") is not None:  # before anything is computed
                export.picture_file.refuse_ending(options["plot"])
            asked = Asked(click.get_current_context(), options, several=several)
            code = function(asked)
            note_cache(asked.evaluator)
            return code

        own = getattr(function, "__click_params__", [])
        run.__click_params__ = [*common.__click_params__, *own]  # type: ignore[attr-defined]
        return click.command(name, cls=cls)(run)

    return made
