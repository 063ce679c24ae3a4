"""Finds the programs that a text, or the file of its name, starts, and the files that they read beside it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from formula_eval.core.diagnostic import FormulaError, refuse, shortened
from formula_eval.core.secrets import masked
from formula_eval.launch.detect.modelfile import instructed_program
from formula_eval.launch.detect.program_finder import Process, ProgramFinder, marks_in, version_of
from formula_eval.launch.detect.python_calls import called_programs, configured_programs
from formula_eval.launch.detect.unwrap import blocks_of, image_of, shell_of, with_plain_signs
from formula_eval.launch.manifests.cluster_task import Launcher, launchers_of, variables_of
from formula_eval.launch.manifests.containers import (
    command_of,
    image_of_values,
    labels_in,
    mounted_in,
    replicas_in,
    texts_within,
    words_in,
)
from formula_eval.launch.manifests.kserve import commands_of
from formula_eval.launch.manifests.structured import structured, with_macros
from formula_eval.launch.python_script.code import PythonCode, python_code
from formula_eval.launch.shell.script import Script, read_script, slurm_words
from formula_eval.launch.tables.launch_program import FORMS, LAUNCHER, LaunchProgram, Option, plain
from formula_eval.launch.tables.option_parser import Setting, file_settings, flattened, settings_of, typed
from formula_eval.records.open_text import as_written, is_open
from formula_eval.text_files import read_text

_STRUCTURED = (".yaml", ".yml", ".json", ".toml", ".ini")
_SHELL = (".sh", ".bash", ".slurm", ".sbatch")
_KEY = re.compile(r"[ \t]*(?:- +)?[\w./\"'-]+[ \t]*:(?:[ \t]|$)")
_TABLES = re.compile(r"(?:[ \t]*(?:[#;].*)?\n|[\w.-]+ = .*\n)*\[[\w.*/:-]+\][ \t]*$", re.MULTILINE)
_ARGUMENTS = ("extraArgs", "extra_args")
INPUT = Path("/dev/stdin")
_STANDARD = "the standard input"
_LONGEST_PATH = 4096
_MOST_FILES = 3  # one named in the next


class LaunchText:
    """One text as `given`: what messages call it, the number of the command that is meant, remarks on how it was read.

    `undecided` says of a variable of a script, `$TP`, what its value hangs on.
    """

    def __init__(self, given: str, programs: Mapping[str, LaunchProgram]) -> None:
        """Find the file, if the text names one; raises FormulaError where it cannot be read."""
        self._programs = programs
        path, self.number = _path_of(given)
        self._folder = path.parent if path else Path()
        self._ending = path.suffix.lower() if path else ""
        self.shown = _STANDARD if path == INPUT else str(path) if path else shortened(" ".join(masked(given).split()))
        said = masked(read_text(path, self.shown) if path else given)
        self.given = given if path and path != INPUT else said
        self._text = with_plain_signs(said)
        self._documents: Mapping[str, str] = {}
        self.remarks: list[str] = []
        self.undecided: dict[str, str] = {}
        self._mounted: dict[str, str] = {}

    def processes(self) -> Iterator[Process]:
        """The programs that it starts, or whose configuration it is."""
        if self._ending in _STRUCTURED:
            yield from self._in_documents(self._text, self._ending)
            return
        blocks = blocks_of(self._text)
        for block in blocks:
            with suppress(*([FormulaError] if len(blocks) > 1 else [])):  # an answer of the server, or an excerpt
                yield from self._in_block(block)

    def _in_block(self, text: str) -> Sequence[Process]:
        """The programs that a text starts, told by what it looks like."""
        if text.lstrip()[:1] == "{" or _first_line(text).startswith(("apiVersion:", "kind:")):
            return list(self._in_documents(text, "" if text.lstrip()[:1] == "{" else ".yaml"))
        if (found := self._of_lines(text)) is not None:
            return found
        code = python_code(text, self.shown if self._ending == ".py" else "")
        if (found := self._in_python(code)) or code.imports:
            return found
        if self._ending in _SHELL or not _KEY.match(_first_line(text)) or "\n" not in text.strip():
            return self._in_script(text)
        try:
            return list(self._in_documents(text, ".yaml")) or self._in_script(text)
        except FormulaError:
            if found := self._in_script(text):  # a script after all
                return found
            raise

    def _of_lines(self, text: str) -> list[Process] | None:
        """What a Modelfile, a Dockerfile, or tables of TOML or INI start; None where a text is none of these."""
        if (instructed := instructed_program(text, self._programs)) is not None:
            return [instructed]
        for ending in (".toml", ".ini") if _TABLES.match(text) else ():
            with suppress(FormulaError):
                if found := list(self._in_documents(text, ending)):
                    return found
        if container := image_of(text):
            return list(ProgramFinder(self._programs).processes(Script((command_of(container),), {})))
        return None

    def _in_script(self, text: str) -> list[Process]:
        script = read_script(shell_of(text), self._slurm_variables(text))
        self._documents = {**self._documents, **script.documents}
        self.remarks += script.remarks
        self.undecided |= script.undecided
        search = ProgramFinder(self._programs)
        found = list(search.processes(script)) or list(search.of_arguments(script))
        written = (instructed_program(document, self._programs) for document in script.documents.values())
        return [_instructed(process, found) for process in written if process] or found

    def _in_python(self, code: PythonCode) -> list[Process]:
        commands = ProgramFinder(self._programs).processes(Script(code.commands, {}))
        made = configured_programs(code.configurations, self._programs)
        return [*called_programs(code.calls, self._programs), *made, *commands]

    def _slurm_variables(self, text: str) -> dict[str, str]:
        """The variables that Slurm sets by what a script's `#SBATCH` lines say."""
        slurm = self._programs.get("slurm")
        said = settings_of(slurm_words(text), slurm) if slurm else []
        options = {setting.name: slurm.options.get(setting.name) for setting in said} if slurm else {}
        return {
            name: str(setting.value)
            for setting in said
            if (option := options[setting.name])
            for name in option.environment
        }

    def _in_documents(self, text: str, ending: str) -> Iterator[Process]:
        documents = [with_macros(each) for each in structured(text, ending, self.shown)]
        documents += [each for inner in texts_within(documents) for each in structured(inner, ".yaml", self.shown)]
        around = [one for document in documents for one in launchers_of(document, self._programs, self.shown)]
        commands = tuple(commands_of(documents, self._programs, variables_of(around)))
        processes = ProgramFinder(self._programs).processes(Script(commands, {}))
        of_tables = (process for document in documents for process in self._of_tables(document, ending))
        found = list(processes) or list(of_tables)
        nodes = any(setting.name == "nnodes" for process in found for _, said in process.launchers for setting in said)
        around += self._chosen_nodes(documents, () if nodes else replicas_in(documents)) if found else []
        self._mounted |= mounted_in(documents)
        marks = marks_in(words_in(documents), self._programs)
        yield from (
            process._replace(launchers=(*around, *process.launchers), marks=(*marks, *process.marks))
            for process in found
        )

    def _chosen_nodes(self, documents: Sequence[object], replicas: Iterable[tuple[str, int]]) -> list[Launcher]:
        """What the labels say by which nodes are chosen; how many replicas there are is told."""
        kubernetes = self._programs.get("kubernetes")
        if kubernetes is None:
            return []
        self.remarks += [f"{key}: {number}; one of them is counted." for key, number in replicas]
        labels: dict[str, list[str]] = {}
        for name, value in labels_in(documents, kubernetes.options):
            labels.setdefault(name, []).append(value)
        one = {name: values[0] for name, values in labels.items() if len(set(values)) == 1}
        self.remarks += [
            f"{name}: any of {', '.join(dict.fromkeys(values))}{_instead(kubernetes.options[name])}"
            for name, values in labels.items()
            if name not in one
        ]
        said = tuple(Setting(name, name, typed(value), self.shown) for name, value in one.items())
        return [(kubernetes, said)] if said else []

    def _of_tables(self, document: object, ending: str) -> Iterator[Process]:
        """The program of a table, else those of the tables in its lists, as Helm values hold one for each model."""
        if not isinstance(document, Mapping):
            return
        found = list(self._configured(document, ending))
        lists = [value for _, value in flattened(document) if isinstance(value, list)]
        inner = (item for each in lists for item in each)
        yield from found or (process for table in inner for process in self._of_tables(table, ending))

    def _configured(self, table: Mapping[str, Any], ending: str) -> Iterator[Process]:
        """The program whose options a configuration file holds."""
        pairs = list(flattened(table))
        reading = [
            each
            for each in self._programs.values()
            if each.purpose != LAUNCHER and each.files and (not ending or ending.lstrip(".") in each.files)
        ]
        scored = [(_score(each, [name for name, _ in pairs]), each) for each in reading]
        best, program = max(scored, key=lambda each: each[0], default=((0, 0, 0, False), None))
        if program is None or not any(program.option_named(name) for name, _ in pairs):
            return
        others = [each.title for score, each in scored if score == best and each is not program]
        others = [] if any(each.extends == program.id for score, each in scored if score == best) else others
        if others:
            self.remarks.append(f"Its keys are those of {' and '.join(others)} too; read as {program.title}'s.")
        settings = file_settings(pairs, program, self.shown)
        for name, value in pairs:
            if name.rpartition(".")[2] in _ARGUMENTS and isinstance(value, list):
                settings += settings_of([str(each) for each in value], program)
        image = image_of_values(dict(pairs))
        version = version_of(image) if any(image.startswith(f"{each}:") for each in program.images) else ""
        yield Process(program, tuple(settings), version=version, started=False)

    def named_files(
        self, program: LaunchProgram, settings: Sequence[Setting], depth: int = 0
    ) -> Iterator[tuple[LaunchProgram, list[Setting]]]:
        """The files that options name, from here-documents or beside the text, each as its own program reads it.

        A file may name others.
        """
        for setting in settings:
            option = program.options.get(setting.name)
            if option is None or not option.file or not isinstance(setting.value, str) or setting.value in option.words:
                continue
            other = program if option.file == "self" else self._programs[option.file]
            name = as_written(setting.value)
            if not self._may_follow(setting.value):
                untold = "only files beside the text or beneath are read; what it sets is not known."
                self.remarks.append(f"{setting.written} {name}: {untold}")
                continue
            text = self._content(setting.value)
            if text is None:
                told = "" if option.meant(name) is None else " beyond what its name tells"
                self.remarks.append(f"{setting.written} {name}: the file is not here; what it sets is not known{told}.")
                continue
            for document in structured(text, Path(name).suffix.lower(), name):
                if isinstance(document, Mapping):
                    more = file_settings(list(flattened(document)), other, name)
                    yield other, more
                    yield from self.named_files(other, more, depth + 1) if depth < _MOST_FILES else ()

    def _content(self, written: str) -> str | None:
        name = as_written(written)
        text = self._documents.get(written, self._documents.get(name, self._mounted.get(Path(name).name)))
        if text is None and not is_open(written) and _is_file(self._folder / name):
            return masked(read_text(self._folder / name, name))
        return text

    def _may_follow(self, written: str) -> bool:
        """Whether a file that a text names may be read: a here-document, or one beside the text or beneath."""
        name = as_written(written)
        if written in self._documents or name in self._documents or Path(name).name in self._mounted:
            return True
        with suppress(OSError):
            return (self._folder / name).resolve().is_relative_to(self._folder.resolve())
        return False


def _instead(option: Option) -> str:
    """What to do, or what becomes of it, where a document says several things of an option."""
    return "; give --gpu." if option.any or option.words else ": none of them is counted."


def _is_file(path: Path) -> bool:
    with suppress(OSError):  # too long for a name of a file
        return path.is_file()
    return False


def _instructed(written: Process, found: Sequence[Process]) -> Process:
    """A program by the instructions that a script writes, with what else the script says of it but for its model."""
    own = {written.program.positional, *(setting.name for setting in written.settings)}
    started = [setting for process in found if process.program is written.program for setting in process.settings]
    return written._replace(settings=(*written.settings, *(setting for setting in started if setting.name not in own)))


def _score(program: LaunchProgram, names: Sequence[str]) -> tuple[int, int, int, bool]:
    """How many of these keys a program knows, how many by the names of its table, how many with its dashes."""
    known = sum(bool(program.option_named(name)) + program.knows(name) for name in names)
    between = "-" if program.form == FORMS[0] else "_"
    own = sum(plain(name) in program.options for name in names)
    return known, own, sum(between in name for name in names), not program.extends


def _first_line(text: str) -> str:
    """The first line that says something, to a reader of YAML."""
    return next((line for line in text.splitlines() if line.strip() and not line.startswith(("#", "---"))), "")


def _path_of(text: str) -> tuple[Path | None, int]:
    """The file that a text names, and the number of the command in it; none where it is a command itself."""
    if not text or "\n" in text or len(text) > _LONGEST_PATH:
        return None, 0
    if text.strip() in ("-", str(INPUT)):
        return INPUT, 0
    name, mark, number = text.rpartition("#")
    path = Path(text)
    try:
        if path.is_dir():
            help_ = "Give the file in it that starts or configures the program."
            raise refuse("unreadable", f"Cannot read `{text}`: it is a folder", help=help_)
        if mark and number.isdecimal() and Path(name).is_file():
            return Path(name), int(number)
        if path.is_file():
            return path, 0
    except OSError:  # too long for a name of a file
        return None, 0
    if " " not in text.strip() and (path.suffix.lower() in (*_STRUCTURED, *_SHELL, ".txt", ".md") or "/" in text):
        raise refuse("unreadable", f"Cannot read `{text}`: no such file or directory")
    return None, 0
