"""Reads the inputs that a command, script, manifest or configuration file states, by presets/launch/."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from formula_eval.core.diagnostic import FormulaError, refuse, shortened
from formula_eval.launch.detect.launch_text import LaunchText
from formula_eval.launch.detect.program_finder import Process, with_servers
from formula_eval.launch.manifests.cluster_task import not_known, once, open_choices, unnamed_makes
from formula_eval.launch.merging import different, each_alone, in_common, telling
from formula_eval.launch.remarks import nearest_of, overruled, resembling, several_launches
from formula_eval.launch.tables.launch_program import LAUNCHER, LaunchProgram
from formula_eval.launch.tables.option_parser import Setting
from formula_eval.launch.tables.program_reader import programs_of
from formula_eval.launch.to_inputs import Translation, Translator, nested
from formula_eval.library import Library
from formula_eval.records.answer_kind import ANSWER
from formula_eval.records.checkpoint_name import Checkpoint, checkpoint_named
from formula_eval.records.launch_reading import Beside, Launch, Use
from formula_eval.records.open_text import as_written, is_open
from formula_eval.records.record_files import all_records, find_record
from formula_eval.records.record_values import read_record
from formula_eval.records.roles import roles_of
from formula_eval.records.schema import Schema
from formula_eval.records.values import read_value

_NOTHING = Beside()
_ALONE = "It is not said how many accelerators run it; the fewest that its layout needs are counted: give --gpus."


def read_launch(text: str, library: Library, schema: Schema, beside: Beside = _NOTHING) -> Launch:
    """What a text, or the file of this name, asks for; raises FormulaError.

    Of several commands in one file, `launch.sh#2` names the second. Beside several records it says what it says beside
    each of them.
    """
    if not text.strip():
        help_ = "Give a command, or the name of a script, a manifest or a configuration file."
        raise refuse("no-launch", "No command and no file is given", help=help_)
    library = library.holding()  # records are looked for again and again
    alone = {", ".join(each.records.values()): each for each in each_alone(beside, library, schema)}
    return in_common({named: _LaunchReader(text, library, schema, each).launch() for named, each in alone.items()})


def silent_launch(
    program: LaunchProgram, model: str, library: Library, schema: Schema, beside: Beside = _NOTHING
) -> Launch:
    """What a command of a program means that says the model and nothing else."""
    named = next(iter(program.model_options), "")
    settings = (Setting(named, named, model),) if named and model else ()
    return _LaunchReader("", library, schema, beside).launch_of(Process(program, settings))


def starts_program(text: str, library: Library) -> bool:
    """Whether a text, or the file of this name, starts a program that the library knows."""
    with suppress(FormulaError):
        return any(True for _ in LaunchText(text, programs_of(library)).processes())
    return False


class _LaunchReader:
    """Reads one text."""

    def __init__(self, given: str, library: Library, schema: Schema, beside: Beside) -> None:
        library = library.holding()  # records are looked for again and again
        self._library, self._schema, self._beside = library, schema, beside
        self._programs, self._roles = programs_of(library), roles_of(library)
        self._text = LaunchText(given, self._programs)
        self._checkpoints: dict[str, Checkpoint] = {}

    def launch(self) -> Launch:
        """What the text asks for."""
        processes = with_servers(list(self._text.processes()))
        found = different([(self.launch_of(process), process.sure) for process in processes])
        if not found:
            raise self._no_program()
        number, shown = self._text.number, self._text.shown
        if number > len(found):
            raise refuse("no-launch", f"{shown}: there is no command {number}; it has {len(found)}")
        if number or len(found) == 1:
            return found[max(number, 1) - 1]
        raise several_launches(found, self._text.shown, self._roles.summary)

    def _no_program(self) -> FormulaError:
        programs = (program for program in self._programs.values() if program.purpose != LAUNCHER)
        titles = ", ".join(dict.fromkeys(program.title for program in programs))
        message = f"`{shortened(self._text.shown)}` starts no program that is known here"
        return refuse("no-launch", message, help=f"Known are {titles}.", subject=self._text.given)

    def launch_of(self, process: Process) -> Launch:
        """What one program that the text starts asks for."""
        program, version = process.program, self._version(process)
        files = list(self._text.named_files(program, process.settings))
        own = [(program, tuple(more)) for other, more in files if other is program]
        [(_, settings)], again_here = once([(program, process.settings), *own])
        models = program.model_options
        settings = tuple(_by_its_name(setting) if setting.name in models else setting for setting in settings)
        launchers, again = once(process.launchers)
        outer, again_outside = once(process.outer)
        around: list[tuple[LaunchProgram, Sequence[Setting]]] = list(launchers)
        around += [file for each, said in launchers for file in self._text.named_files(each, said)]
        launched = [self._launched(each, said, program) for each, said in around]
        known = self._known(program, settings, [use for translation in launched for use in translation.used])
        by_launchers = {setting.name: setting.value for _, said in (*outer, *around) for setting in said}
        known = {**known, "launched": nested(by_launchers)}
        whole = [self._translator(program, known, version).translation(settings)]
        others = [file for file in files if file[0] is not program]
        known = {**known, "started": program.id}
        whole += [self._translator(other, known).translation(more) for other, more in others]
        whole += [*launched, Translation(remarks=(*again_here, *again, *again_outside))]
        for each, said in outer:
            inner = {use.input for part in whole for use in part.used}
            whole.append(self._launched(each, said, program).without(inner))
        launch = self._merged(program, version, whole)
        board = self._roles.accelerator
        if board not in self._beside.records:
            told = open_choices((*launchers, *outer))
            if board not in launch.stated:
                told += unnamed_makes(process.marks, self._programs.values(), self._schema.kinds[board].default)
            launch = launch._replace(remarks=(*launch.remarks, *told))
        counted = {*self._roles.scale} & {*launch.stated, *self._beside.values}
        alone = process.started and not program.all_found and not any(each.options for each, _ in (*launchers, *outer))
        return launch if counted or alone or not program.gpus else launch._replace(remarks=(*launch.remarks, _ALONE))

    def _version(self, process: Process) -> str:
        """The version of a program: that of the engine named beside the text, else the one that its image tells."""
        own, named = f"{process.program.engine}-", self._beside.records.get(self._roles.engine, "")
        if not (process.program.engine and named):
            return process.version
        engine = find_record(self._library, self._schema, self._roles.engine, named).id
        return engine.removeprefix(own).partition("-")[0] if engine.startswith(own) else process.version

    def _translator(self, program: LaunchProgram, known: Mapping[str, Any], version: str = "") -> Translator:
        decided = frozenset((*self._beside.records, *self._beside.values))
        return Translator(program, self._library, self._text.shown, version, known, decided, self._text.undecided)

    def _launched(self, launcher: LaunchProgram, said: Sequence[Setting], program: LaunchProgram) -> Translation:
        """What a launcher says: of the accelerator alone, where how many there are is the program's own."""
        translator = self._translator(launcher, {})
        if not program.gpus:
            translator = translator._replace(decided=translator.decided | {self._roles.accelerators})
        read = self._of_known_records(launcher, said, translator.translation(said))
        options = [name for name in read.unknown if name.startswith("-")]
        told = read._replace(
            unknown=tuple(f"{option} of {launcher.title}" for option in options),
            remarks=(*read.remarks, *nearest_of(launcher, options)),
        )
        if program.gpus:
            return told
        used = tuple(use for use in read.used if use.input in self._schema.kinds)
        named = {*(use.written for use in used), *(setting.written for setting in said if is_open(str(setting.value)))}
        idle = [
            setting.written for setting in said if setting.name in launcher.options and setting.written not in named
        ]
        reason = f"{program.title}'s own options say how many accelerators it runs on"
        return Translation(
            used, without_effect=tuple((name, reason) for name in idle), unknown=told.unknown, remarks=told.remarks
        )

    def _of_known_records(self, launcher: LaunchProgram, said: Sequence[Setting], read: Translation) -> Translation:
        """The same without records that the library lacks, which are told, of options that take any word."""
        free = {setting.written for setting in said if (option := launcher.options.get(setting.name)) and option.any}
        named = [use for use in read.used if use.written in free and use.input in self._schema.kinds]
        lacking = [use for use in named if not self._numbers(use.input, str(use.value))]
        told = (not_known(use.written, use.value) for use in lacking if use.input not in self._beside.records)
        used = tuple(use for use in read.used if use not in lacking)
        return read._replace(used=used, remarks=(*read.remarks, *told))

    def _known(self, program: LaunchProgram, settings: Sequence[Setting], launched: Sequence[Use]) -> Mapping[str, Any]:
        """Further names for a table's expressions: numbers of the model and the accelerator, what was said beside."""
        known = (setting for setting in settings if setting.name in program.options)
        options = [(program.options[setting.name], setting.value) for setting in known]
        kind, board = self._roles.model, self._roles.accelerator
        said = next((model for option, value in options if (model := option.record_said(kind, value))), None)
        model = self._beside.records.get(kind) or (self._checkpoint(said).model if isinstance(said, str) else "")
        own = next((each for option, value in options if (each := option.record_said(board, value))), "")
        named = next((str(use.value) for use in launched if use.input == board), str(own))
        hardware = self._beside.records.get(board) or named or self._schema.kinds[board].default
        values = ((name, _number(value)) for name, value in self._beside.values.items())
        numbers = {name: value for name, value in values if value is not None}
        return {
            "the_model": self._numbers(kind, model),
            "accelerator": self._numbers(board, hardware),
            "asked": {**self._beside.records, **numbers},
            "checkpoints": dict(self._checkpoints_named(program, settings)),
        }

    def _checkpoints_named(
        self, program: LaunchProgram, settings: Sequence[Setting]
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The numbers, and the format that the name tells, of each checkpoint that is named beside the model."""
        for setting in settings:
            option = program.options.get(setting.name)
            if (
                option is not None
                and option.checkpoint
                and isinstance(setting.value, str)
                and not is_open(setting.value)
            ):
                found = self._checkpoint(setting.value)
                told = {self._roles.format: found.format} if found.format else {}
                yield setting.name.replace(".", "_"), {**self._numbers(self._roles.model, found.model), **told}

    def _numbers(self, kind: str, wanted: str) -> Mapping[str, Any]:
        if not wanted or is_open(wanted):
            return {}
        try:
            record = find_record(self._library, self._schema, kind, wanted)
            return read_record(record, self._schema, whole=False).values
        except FormulaError:
            return {}  # whoever evaluates the question says what is wrong with the record

    def _merged(self, program: LaunchProgram, version: str, parts: Sequence[Translation]) -> Launch:
        used = [use for part in parts for use in part.used]
        roles = self._roles
        if any(use.input == roles.accelerators for use in used):  # which tell how many share a batch
            used = [use for use in used if use.input != roles.replicas]
        said = {use.input for use in used}
        assumed = [use for part in parts for use in part.assumed if use.input not in said]
        stated: dict[str, Any] = {use.input: use.value for use in (*assumed, *used)}
        remarks = [*self._text.remarks, *(remark for part in parts for remark in part.remarks)]
        for use in used:
            self._check(use)
        remarks += overruled(used, roles.accelerators)
        remarks += resembling(program, [name for part in parts for name in part.unknown], self._programs.values())
        used = self._with_checkpoints(stated, used, remarks)
        assumed = [use for use in assumed if stated[use.input] == use.value]
        self._gather_model(stated)
        if program.engine and roles.engine not in stated:
            stated[roles.engine] = f"{program.engine}-{version}" if version else program.engine
        if program.purpose in roles.purposes[1:]:
            stated[ANSWER] = program.purpose
        launch = Launch(
            self._text.given,
            self._text.shown,
            program.id,
            program.title,
            program.purpose,
            program.shown,
            version,
            stated,
            tuple(used),
            tuple(assumed),
            remarks=tuple(dict.fromkeys(remarks)),
        )
        return telling(launch, *(part._replace(remarks=()) for part in parts))

    def _check(self, use: Use) -> None:
        """Refuse a value that its input cannot have, by the option that says it."""
        schema = self._schema.inputs.get(use.input)
        if schema is None or schema.quantity.kind == "record":
            return
        origin = f"{self._text.shown}: {use.quoted}"
        if as_written(str(use.said)).endswith("%"):
            raise refuse("bad-value", f"{origin}: programs take a number", help="Write `0.9` for `90%`.")
        read_value(use.value, schema, self._schema.units, origin)

    def _checkpoint(self, written: str) -> Checkpoint:
        if written not in self._checkpoints:
            records = partial(all_records, self._library)
            self._checkpoints[written] = checkpoint_named(written, self._library, self._schema, records)
        return self._checkpoints[written]

    def _gather_model(self, stated: dict[str, Any]) -> None:
        """Make a record of the shape that a text spells out, where nobody names the model."""
        kind = self._roles.model
        shape = [name for name in stated if name in self._schema.inputs_of(kind)]
        if shape and kind not in stated and kind not in self._beside.records:
            stated[kind] = {"name": "as stated", **{name: stated.pop(name) for name in shape}}

    def _with_checkpoints(self, stated: dict[str, Any], used: list[Use], remarks: list[str]) -> list[Use]:
        """The uses with models of the library in the place of the checkpoints that are named."""
        model, kind = self._roles.model, self._roles.format
        for name in self._roles.checkpoints:
            written = stated.get(name)
            if not isinstance(written, str):
                continue
            found = self._checkpoint(written)
            stated[name] = found.model
            remarks += [found.remark] if found.remark else []
            used = [use._replace(value=found.model) if use.input == name else use for use in used]
            if found.format and name == model and not any(use.input == kind for use in used):
                stated[kind] = found.format
                used.append(Use(written, "", kind, found.format))
        return used


def _by_its_name(setting: Setting) -> Setting:
    """A model in a folder that is not known, `$MODELS/Qwen3-8B`, as its author wrote it: its own name tells it."""
    folder, slash, name = str(setting.value).rpartition("/")
    return setting._replace(value=as_written(f"{folder}/{name}")) if slash and name and not is_open(name) else setting


def _number(value: object) -> float | None:
    try:
        return None if isinstance(value, bool) else float(str(value))
    except ValueError:
        return None
