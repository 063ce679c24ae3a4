"""Translates the options of a program to our inputs, by its table; some cost nothing, some have no input."""

import re
from collections.abc import Iterator, Mapping, Sequence, Set as AbstractSet
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import FormulaError, refuse, shortened
from formula_eval.core.option_names import option_of
from formula_eval.launch.tables.launch_program import Derived, LaunchProgram, Option, version_key
from formula_eval.launch.tables.option_parser import Setting, typed
from formula_eval.library import Library
from formula_eval.records.launch_reading import Use, said_of
from formula_eval.records.mapping.reader import ConfigReader, Written
from formula_eval.records.open_text import as_written, is_open
from formula_eval.records.roles import roles_of

_NAME = re.compile(r"[a-z_][\w.]*")
_SAME = "the prediction already counts on this"
_UNMET = "nothing follows from it here"
_STRANGE = "nothing is known of this value"
_WITHIN = "what it starts says how many there are"
_SILENT = (None, "", "auto", "none", "null", "None", "default")


class Translation(NamedTuple):
    """What became of the options of one program."""

    used: tuple[Use, ...] = ()  # inputs that the options given set
    assumed: tuple[Use, ...] = ()  # inputs that its defaults set where options are silent
    without_effect: tuple[tuple[str, str], ...] = ()  # options that cost nothing, each with the reason
    without_input: tuple[tuple[str, str], ...] = ()  # options, each with what to give instead
    unknown: tuple[str, ...] = ()  # options that the table lacks, as written
    remarks: tuple[str, ...] = ()  # what else a reader should know of them

    def without(self, inputs: AbstractSet[str]) -> "Translation":
        """The same, but that what it says of these inputs has no effect."""
        idle = [(use.written, _WITHIN) for use in self.used if use.input in inputs]
        used = tuple(use for use in self.used if use.input not in inputs)
        return self._replace(used=used, without_effect=(*self.without_effect, *idle))


class Translator(NamedTuple):
    """Translates the options of one program of one version; `known` are further names for its expressions.

    What is `decided` beside the text may be left open in it; `undecided` says what a variable of it, `$TP`, hangs on.
    """

    program: LaunchProgram
    library: Library  # whose units and formats its expressions use
    shown: str  # what messages call the text with the options
    version: str = ""
    known: Mapping[str, Any] = {}
    decided: frozenset[str] = frozenset()
    undecided: Mapping[str, str] = {}

    def translation(self, settings: Sequence[Setting]) -> Translation:
        """What the options say; raises FormulaError where two of them contradict each other, or one is left open."""
        told, active = self._sorted(self._once(settings))
        said = {setting.name: setting for setting in active}
        silent = list(self._defaults(said))
        used = self._consistent([use for setting in active for use in self._uses(setting)])
        assumed = [use for setting in silent for use in self._uses(setting)]
        reader = self._reader(active, silent)
        used, assumed, sources, passed_over = self._derived(reader, used, assumed, said)
        ruled = {name for derived in self.program.derived for name in derived.sources}
        remarks = {text: when for text, when in self.program.remarks.items() if reader.value(when, "remarks")}
        remarked = {name for when in remarks.values() for name in _NAME.findall(when)}
        idle = [
            (setting.written, _UNMET if setting.name in ruled else _STRANGE if self._is_strange(setting) else _SAME)
            for setting in active
            if setting.name not in remarked and self._changes_nothing(setting, sources)
        ]
        set_by_option = {use.input for use in used}
        return told._replace(
            used=tuple(used),
            assumed=tuple(use for use in assumed if use.input not in set_by_option),
            without_effect=(*told.without_effect, *passed_over, *idle),
            remarks=(*self._of_other_version(active), *remarks),
        )

    def _once(self, settings: Sequence[Setting]) -> list[Setting]:
        """The settings, each option once; refuses one that says two things."""
        found: dict[str, Setting] = {}
        for setting in settings:
            before = found.setdefault(setting.name, setting)
            switched = isinstance(before.value, bool) and isinstance(setting.value, bool)
            known = setting.name in self.program.options or switched
            if before.value != setting.value and known:
                message = (
                    f"{self.shown}: `{before.written}` says `{said_of(before.value)}` and "
                    f"`{setting.written}` says `{said_of(setting.value)}`"
                )
                raise refuse("said-twice", message, help="Give it once.")
        return list(found.values())

    def _sorted(self, settings: Sequence[Setting]) -> tuple[Translation, list[Setting]]:
        """What is told of options that set nothing, and the others, in the order of the table."""
        idle, lacking, unknown, active = [], [], [], []
        for setting in settings:
            option = self.program.options.get(setting.name)
            reason, advice = self.program.reason(setting.name), self.program.advice(setting.name)
            if option is not None and (told := option.advice(setting.value)):
                lacking.append((f"{setting.written} {setting.value}", told))
            elif option is not None:
                if not is_open(str(setting.value)) or option.file or option.any:
                    active.append(setting)
                elif not (sets := self._set_by(option)) or not self.decided.issuperset(sets):
                    raise self._open(setting, next(iter(sets), ""))
            elif advice:
                lacking += [(setting.written, advice)] if setting.value not in _SILENT else []
            elif reason:
                idle.append((setting.written, reason))
            else:
                unknown.append(as_written(setting.written))
        order = {name: place for place, name in enumerate(self.program.options)}
        apart = Translation(without_effect=tuple(idle), without_input=tuple(lacking), unknown=tuple(unknown))
        return apart, sorted(active, key=lambda setting: order[setting.name])

    def _set_by(self, option: Option) -> list[str]:
        """The inputs that an option sets, by itself or with others."""
        derived = [each.input for each in self.program.derived if option.name in each.sources]
        return [option.input] if option.input else derived

    def _open(self, setting: Setting, given: str) -> FormulaError:
        written = as_written(str(setting.value))
        help_ = "Put in the value itself; nothing of a text is run, and only plain assignments in it are followed."
        if given:
            help_ += f" Or give it beside the text: {option_of(given)}."
        hangs = [said for name, said in self.undecided.items() if re.search(rf"{re.escape(name)}\b", written)]
        help_ = " ".join((*hangs, help_))
        if "{{" in written:
            help_ = "Fill in the template first: `helm template` prints what it becomes."
        message = f"{self.shown}: `{setting.written}` is `{shortened(written)}`, which is not known here"
        return refuse("not-followed", message, help=help_)

    def _defaults(self, said: Mapping[str, Setting]) -> Iterator[Setting]:
        for name, option in self.program.options.items():
            value = option.default_in(self.version)
            if name not in said and value is not None and _is_there(option, self.version):
                yield Setting(name, _shown_name(name), value)

    def _uses(self, setting: Setting) -> Iterator[Use]:
        """What one option sets by itself."""
        option, word = self.program.options[setting.name], setting.value
        if not isinstance(word, str):
            word = said_of(word)
        said = option.meant(word)
        if said is not None:
            implied = isinstance(said, Mapping)
            pairs = said if isinstance(said, Mapping) else {option.input: said}
            told = as_written(setting.value) if isinstance(setting.value, str) else setting.value
            yield from (Use(setting.written, told, name, value, implied) for name, value in pairs.items())
            return
        if option.words and not (option.any or (option.input and _is_number(setting.value))):
            if setting.value in _SILENT or word.lower() in _SILENT:
                return
            known = ", ".join(f"`{each}`" for each in option.words)
            message = f"{self.shown}: `{setting.written} {shortened(word)}` is not known"
            raise refuse("bad-value", message, help=f"The table {self.program.shown} knows {known}.")
        if option.input and setting.value not in _SILENT:
            alone = isinstance(setting.value, list) and len(setting.value) == 1
            value = setting.value[0] if alone else setting.value
            yield Use(setting.written, setting.value, option.input, _with_unit(value, option.unit))

    def _reader(self, stated: Sequence[Setting], silent: Sequence[Setting]) -> ConfigReader:
        """What computes expressions over the options and what else is known."""
        names = {
            **self.known,
            **nested({setting.name: setting.value for setting in (*stated, *silent) if setting.value not in _SILENT}),
        }
        said = {
            setting.name: Written(setting.written, f"{setting.written} {said_of(setting.value)}") for setting in stated
        }
        written = {name.replace("/", ".").replace("-", "_"): each for name, each in said.items()}
        return ConfigReader(self.library, names, self.shown, written)

    def _derived(
        self, reader: ConfigReader, used: list[Use], assumed: list[Use], said: Mapping[str, Setting]
    ) -> tuple[list[Use], list[Use], set[str], list[tuple[str, str]]]:
        """What follows from several options in place of what one sets by itself, from which, and which do not count."""
        felt: set[str] = set()
        passed_over: list[tuple[str, str]] = []
        for derived in self.program.derived:
            if derived.instead and not any(use.input == derived.instead and use.value == use.said for use in used):
                continue
            if not _is_there(derived, self.version) or (derived.when and not reader.value(derived.when, derived.input)):
                continue
            sources = [said[name] for name in derived.sources if name in said]
            left_open = [source for source in sources if is_open(str(source.value)) and source.name in derived.value]
            if left_open and derived.input not in self.decided:
                raise self._open(left_open[0], derived.input)
            felt.update(derived.sources)
            if left_open:
                continue
            counted = [source for source in sources if _names(derived.value, source) or _names(derived.when, source)]
            if counted:
                reason = f"{' and '.join(source.written for source in counted)} counts instead"
                passed_over += [(source.written, reason) for source in sources if source not in counted]
            words = (*_words_in(derived), *self._formats())
            value = _with_unit(whole(reader.value(derived.value, derived.input, words)), derived.unit)
            written = " ".join(source.written for source in sources) or " ".join(map(_shown_name, derived.sources))
            written = written or self.program.title
            told = ", ".join(said_of(source.value) for source in sources)
            used = [one for one in used if one.input not in (derived.input, derived.instead)]
            assumed = [one for one in assumed if one.input != derived.input]
            (used if sources else assumed).append(Use(written, told, derived.input, value))
        return used, assumed, felt, passed_over

    def _changes_nothing(self, setting: Setting, sources: AbstractSet[str]) -> bool:
        """Whether an option neither sets an input by what it says nor is one from which another follows."""
        option = self.program.options[setting.name]
        apart = option.file or option.checkpoint or option.counts or option.name in sources
        return not apart and not any(True for _ in self._uses(setting))

    def _is_strange(self, setting: Setting) -> bool:
        """Whether the table lists words of this option, and none is what it says."""
        option = self.program.options[setting.name]
        return bool(option.words) and setting.value not in _SILENT and option.meant(said_of(setting.value)) is None

    def _formats(self) -> list[str]:
        """The number formats that names of checkpoints tell."""
        name, checkpoints = roles_of(self.library).format, self.known.get("checkpoints", {})
        return [str(checkpoint[name]) for checkpoint in checkpoints.values() if name in checkpoint]

    def _consistent(self, used: Sequence[Use]) -> list[Use]:
        """One use for each input, the last of those that imply it; refuses two options that contradict each other."""
        seen: dict[str, Use] = {}
        for use in used:
            before = seen.setdefault(use.input, use)
            if not before.implied and not use.implied and before.value != use.value:
                message = (
                    f"{self.shown}: `{before.written}` makes `{before.input}` {before.value}, "
                    f"but `{use.written}` makes it {use.value}"
                )
                raise refuse("said-twice", message, help="Leave out one of them.")
            if before.implied:
                seen[use.input] = use
        return list(seen.values())

    def _of_other_version(self, settings: Sequence[Setting]) -> Iterator[str]:
        for setting in settings:
            option = self.program.options[setting.name]
            if not _is_there(option, self.version):
                there = f"from {option.since} on" if option.since else f"until {option.until}"
                if option.since and option.until:
                    there = f"from {option.since} to {option.until}"
                named = f"{self.program.title} {self.version or self.program.version}".rstrip()
                yield f"{setting.written}: {named} has no such option; there is one {there}"


def _names(expression: str, source: Setting) -> bool:
    """Whether an expression names the option that a setting sets."""
    return re.search(rf"(?<![\w.]){re.escape(source.name)}(?![\w.])", expression) is not None


def _is_there(option: Option | Derived, version: str) -> bool:
    """Whether an option is one of this version; any option is where the version is not known."""
    if not version:
        return not option.until
    key = version_key(version)
    last = version_key(option.until) if option.until else key
    return key >= version_key(option.since) and key[: len(last)] <= last


def _words_in(derived: Derived) -> tuple[str, ...]:
    """The words that an expression may give: those that stand in it."""
    return tuple(name.strip("\"'(),") for name in derived.value.split())


def nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Dotted names as tables within tables, as expressions read them; numbers below 0 are left out."""
    found: dict[str, Any] = {}
    for name, value in flat.items():
        *outer, last = name.replace("/", ".").replace("-", "_").split(".")
        place = found
        for part in outer:
            inner = place.setdefault(part, {})
            if not isinstance(inner, dict):
                inner = place[part] = {}
            place = inner
        if not (_is_number(value) and value < 0) and not isinstance(place.get(last), dict):
            place[last] = typed(value)
    return found


def whole(value: Any) -> Any:  # noqa: ANN401 - as below
    """A number without its point, if it is a whole one; anything else as it is."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _with_unit(value: Any, unit: str) -> Any:  # noqa: ANN401 - what the table says
    return f"{value} {unit}" if unit and _is_number(value) else value


def _shown_name(name: str) -> str:
    return option_of(name) if "." not in name else name
