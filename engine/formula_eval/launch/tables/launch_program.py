"""Defines what a program's options mean: the two-way table of one engine or trainer."""

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Annotated, Any, NamedTuple

from formula_eval.records.open_text import as_written
from formula_eval.toml_table import FILLED

LAUNCHER = "launcher"  # the purpose of what starts other programs
EVERY_WORD = "*"  # of an option that is read and never written
FORMS = ("dashes", "underscores", "pairs", "yaml", "json")


class Option(NamedTuple):
    """One option: its spellings, the input that it sets as it stands or by a word, and its default by version.

    `words` map what the program says to inputs of ours; with `any` other words are let be. A `file` names further
    options, for the program that it says. What a command must say is written `always`; words of `older` versions, or
    `*` for the whole option, are read and never written. A `counted` one ends in its number, `gpu:h100:8`, and what
    stands before that is the option that it `names`; a `repeated` one is a list as Python writes it, `[0]*3+[1]*58`; a
    `called` one says other options in brackets, `llama3_8b(num_nodes=2)`. Words that are `lacking` have no value of
    ours, but what to give instead. Of `H100:8` the number is the option that it `counts`. Of a `checkpoint` beside the
    model expressions read its numbers, `checkpoints.NAME.vocab`.
    """

    name: Annotated[str, FILLED] = ""  # its key in the table, which other entries name
    also: tuple[str, ...] = ()  # other spellings, as `plain` gives them
    environment: tuple[str, ...] = ()  # variables that set it when no option does
    input: str = ""
    unit: str = ""  # of a plain number that the program takes
    words: Mapping[str, Any] = {}
    switch: bool = False  # whether it takes no value
    several: bool = False  # whether it takes many values
    file: str = ""
    suffixes: bool = False  # whether numbers may be written `8k` or `1M`
    counted: bool = False
    repeated: bool = False
    called: bool = False
    default: Any = None
    defaults: Mapping[str, Any] = {}  # its default by the version from which it holds
    since: str = ""  # the first version that has it; empty if always
    until: str = ""  # the last version that has it; empty if current
    any: bool = False
    always: bool = False
    older: tuple[str, ...] = ()
    lacking: Mapping[str, str] = {}
    checkpoint: bool = False
    counts: str = ""
    names: str = ""
    source: str = ""  # where it was looked up
    note: str = ""  # a remark for readers of the table

    def advice(self, value: object) -> str:
        """What to give instead of a word that has no value of ours; empty if it is none of these, or has a value."""
        word = str(value).lower()
        return "" if word in (each.lower() for each in self.words) else _of_group(self.lacking, word)

    def meant(self, word: str) -> Any:  # noqa: ANN401 - what the table says
        """What a word means by the table, first by itself, then by a pattern; None where there is none for it."""
        words = {key.lower(): value for key, value in self.words.items()}
        listed = (str(word.split()), str(word.split(","))) if self.several else ()
        found = next((each.lower() for each in (word, *listed) if each.lower() in words), "")
        bare = as_written(word.lower())
        return words.get(found or next((each for each in words if "*" in each and fnmatchcase(bare, each)), ""))

    def record_said(self, kind: str, value: object) -> object:
        """The record of a kind that a value names, itself or by a word of the program; nothing if it names none."""
        word = self.meant(str(value))
        if isinstance(word, Mapping):
            return word.get(kind)
        return (value if word is None else word) if self.input == kind else None

    def default_in(self, version: str) -> object:
        """What counts where the command is silent, in a version of the program; the newest without one."""
        fitting = [default for default in self.defaults if not version or version_key(default) <= version_key(version)]
        return self.defaults[max(fitting, key=version_key)] if fitting else self.default


class Derived(NamedTuple):
    """An input that follows from several options, as an expression over their names, if its condition holds.

    It does so in versions from `since` on and `until` another. One `instead` of another input holds where an option
    says that input in no word of the table, and takes its place.
    """

    value: str  # the expression, over options and what else is known
    when: str = ""  # its condition; empty if it always holds
    unit: str = ""  # of a plain number that the expression gives
    sources: Annotated[tuple[str, ...], "from"] = ()  # the options that it follows from
    since: str = ""
    until: str = ""
    instead: str = ""
    note: str = ""  # a remark for readers of the table
    input: Annotated[str, FILLED] = ""


class LaunchProgram(NamedTuple):
    """A program: how it is started, what its options mean, which of them cost nothing, which have no input of ours.

    `where` are conditions, as `search` takes them, on the configurations that its options can say; `usual` are inputs
    as a configuration that is to be written for it has them, unless somebody sets them; `besides` is what a user adds,
    and of what it `needs` those are told whose condition on the inputs holds.
    `nodes` say how several of them meet, `container` what an image runs, `kserve` how KServe starts it. In Python
    `calls` start it, and `parts` say more of it, each with the options that its arguments are by place. In a file its
    options may stand `within` tables of these names. By `attributes` of an object Python sets its options; the call
    that made it is the positional one.
    A file of its `instructions` sets the option that each names, one without an option a further word's. Where its
    server is started apart, what that is told holds for each command that names a model. `image_names` is the option
    that the name of its image says, `arguments` the variable of further ones. A call may have options
    `implied`, which hold unless it says them. Of its `remarks` those are told whose condition holds. What it
    says has no input of ours is told where it stands `anywhere` in a command or a manifest, unless a board is named.
    Its `model_options` name the model.
    """

    id: str  # the name of its file, without the ending
    shown: str  # the path of its table, for messages
    title: str  # what messages call the program
    purpose: str = ""  # such as `serving`; `launcher` for what starts others
    options: Mapping[str, Option] = {}
    commands: tuple[tuple[str, ...], ...] = ()  # words that start it; `*.py` for any script
    images: tuple[str, ...] = ()  # names or globs of container images that start it
    extends: str = ""  # the table that it takes over and adds to
    engine: str = ""  # the id of its engine's record; empty for none
    positional: str = ""
    files: tuple[str, ...] = ()  # endings of the files that configure it
    version: str = ""  # the version that the table was read from
    gpus: bool = False  # whether launchers before it count its accelerators
    all_found: bool = False  # whether it starts a process on each accelerator that it finds
    abbreviations: bool = False  # whether options may be abbreviated, as with argparse
    derived: tuple[Derived, ...] = ()  # rules for inputs that follow from several options
    without_effect: Mapping[str, str] = {}  # why options cost nothing, by option or group
    without_input: Mapping[str, str] = {}  # what to give instead, by option or group
    written: Mapping[str, Derived] = {}
    form: str = "dashes"  # how it writes options, one of `FORMS`
    start: str = ""
    where: tuple[str, ...] = ()
    usual: Mapping[str, Any] = {}
    besides: str = ""
    needs: Mapping[str, str] = {}
    nodes: Mapping[str, str] = {}
    container: Mapping[str, Any] = {}
    kserve: Mapping[str, Any] = {}
    spelling: Mapping[str, str] = {}  # the option that each spelling means
    calls: Mapping[str, tuple[str, ...]] = {}
    parts: Mapping[str, tuple[str, ...]] = {}
    within: tuple[str, ...] = ()
    attributes: bool = False
    instructions: Mapping[str, str] = {}
    server_apart: bool = False  # whether a command of its own starts the server
    anywhere: bool = False
    image_names: str = ""
    arguments: str = ""
    implied: Mapping[str, Mapping[str, Any]] = {}
    remarks: Mapping[str, str] = {}
    model_options: tuple[str, ...] = ()

    def started(self, per_node: int, nodes: int, meeting: str = "") -> str:
        """How a command begins, on so many nodes, with what makes them meet."""
        start = self.start.replace("ACROSS", meeting).replace("PER_NODE", str(per_node)).replace("NODES", str(nodes))
        return " ".join(start.split())

    def option_named(self, written: str) -> str:
        """The option that a spelling means; empty if the program has none."""
        return self.spelling.get(self._own(written), "")

    def knows(self, name: str) -> bool:
        """Whether an option, or the group that it is of, stands anywhere in the table."""
        return bool(self.option_named(name)) or bool(self.reason(name)) or bool(self.advice(name))

    def names(self, name: str) -> bool:
        """Whether an option stands in the table by its own name, not in a group of such."""
        own = self._own(name)
        return own in self.spelling or any(
            own == text.rstrip("*_.") for text in (*self.without_effect, *self.without_input)
        )

    def reason(self, name: str) -> str:
        """Why an option costs nothing; empty if it is not known to."""
        own = self._own(name)
        return _of_group(self.without_effect, own) or _of_group(self.without_effect, own.removeprefix("no_"))

    def advice(self, name: str) -> str:
        """What to give instead of an option that has no input of ours; empty if it is none of these."""
        return _of_group(self.without_input, self._own(name))

    def _own(self, written: str) -> str:
        """An option's name as the table writes it, without the table of a file that it stands in."""
        name = plain(written)
        return next((name.removeprefix(f"{each}.") for each in self.within if name.startswith(f"{each}.")), name)


def plain(written: str) -> str:
    """An option's name as the tables write it: `--tensor-parallel-size` as `tensor_parallel_size`."""
    return written.lstrip("-").replace("-", "_")


def version_key(version: str) -> tuple[int, ...]:
    """The sort key of a version: (0, 6, 3) for `0.6.3.post1`."""
    parts = (name for name in version.removeprefix("v").split("."))
    return tuple(int(part) for part in parts if part.isdecimal())


def _of_group(said: Mapping[str, str], name: str) -> str:
    """What is said of a name, or of the group that it stands in: `metrics.*` of `metrics.log_freq`."""
    if name in said:
        return said[name]
    return next((text for group, text in said.items() if group.endswith("*") and fnmatchcase(name, group)), "")
