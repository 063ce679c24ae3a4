"""Reads `formulas/synonyms.toml`: what others call our inputs, kinds of records, words, quantities and units."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, product
from math import prod
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import Diagnostic, refuse
from formula_eval.core.unit_meaning import multiple_of
from formula_eval.toml_table import check_table, table

FILE = "formulas/synonyms.toml"
_PARTS = ("inputs", "records", "words", "tunings", "variants", "quantities", "units", "around", "advice")
_BETWEEN_SIDES = re.compile(r"[xX*\u00d7]")
_LONGEST_AROUND = 2  # words, as of `mac studio`
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)")
_NUMBER = re.compile(r"\d[\d,_.]*(?:e\d+)?(?![kmgt]i?b$|p$)[a-z]{0,3}")  # no size: `512gb`, `720p` count nothing
_IN_WORD = re.compile(r"\d[\d,]*(?:\.\d+)?(?:e\d+)?")
_ALTERNATIVES = re.compile(r"\(([^)]*)\)")
_COMPUTED = re.compile(r"(\d+)([/-])#")
_PRODUCT = re.compile(r"#(?:\*#)+")
_FIGURES = re.compile(r"(\d+(?:\.\d+)?(?:e\d+)?)([kmbt]?)", re.IGNORECASE)
_CHOSEN = re.compile(r"\$(\d)")
_PHRASES = ("phrases", "job_phrases", "verb_phrases", "load_verb_phrases", "counting_phrases", "memory_words", "usual")
_SYNONYMS = table(
    " ".join(f"{part}?:names" for part in (*_PARTS[:-1], "sizes", *_PHRASES, "counting_verbs"))
    + " counting_lacks?:texts advice?:texts",
    names=table("*:[text]"),
    texts=table("*:text"),
)


class Synonyms(NamedTuple):
    """Ours by theirs, and by a name of theirs that means something else what to give instead."""

    inputs: Mapping[str, str] = {}  # such as `tp` by `tensor_parallel`
    records: Mapping[str, str] = {}  # kinds, such as `hardware` by `accelerator`
    words: Mapping[str, str] = {}  # of choices, such as `one_f_one_b` by `1f1b`
    tunings: Mapping[str, str] = {}  # kinds by a part of a name, `instruct`
    variants: Mapping[str, str] = {}  # kinds by a part of a name that makes it another record, `ti`
    quantities: Mapping[str, str] = {}  # formulas, such as `params.total` by `num_params`
    units: Mapping[str, str] = {}  # such as `s` by `seconds`
    around: Mapping[str, str] = {}  # kinds by words that stand around the name of a record, `mac_studio`
    sizes: Mapping[str, tuple[str, ...]] = {}  # inputs that one value states, `1024x768`, by its name
    advice: Mapping[str, str] = {}  # a sentence, by their name
    phrases: Mapping[str, tuple[str, ...]] = {}  # options by the words that say the same; `#` is a number
    job_phrases: Mapping[str, tuple[str, ...]] = {}  # likewise, where the question is about a job and not a service
    verb_phrases: Mapping[str, tuple[str, ...]] = {}  # a verb and its options, by the words that ask for it
    load_verb_phrases: Mapping[str, tuple[str, ...]] = {}  # likewise, beside a load
    counting_phrases: Mapping[str, tuple[str, ...]] = {}  # what hangs on how many are needed, such as a month's bill
    memory_words: Mapping[str, tuple[str, ...]] = {}  # two options, by words beside which the second is meant
    usual: Mapping[str, tuple[str, ...]] = {}  # options that go with the name of a record where nothing else is said
    counting_verbs: Mapping[str, tuple[str, ...]] = {}  # options of a load, by the verb that counts for it
    counting_lacks: Mapping[str, str] = {}  # what else to say, by an option that no load stands beside

    def verb_that_counts(self, options: Collection[str]) -> str:
        """The verb that counts for the load that options state, or none; raises FormulaError for a target alone."""
        verb = next((verb for verb, loads in self.counting_verbs.items() if {*loads} & {*options}), "")
        for option, lacks in () if verb else self.counting_lacks.items():
            if option in options:
                raise refuse("no-load", f"{option} alone does not say how many are needed", help=lacks, subject=option)
        return verb

    def sides_of(self, name: str, value: str) -> tuple[tuple[str, str], ...]:
        """The inputs that a size such as `1024x768` states, each with its number, or with those of several sizes.

        One number, or a range of them, is that of all sides.

        Nothing for a name that is no size. Raises FormulaError for more or fewer numbers than there are sides.
        """
        inputs = self.sizes.get(plain_name(name), ())
        texts = [value] if ".." in value or not inputs else value.split(",")
        sizes = [[text] if ".." in text else [each.strip() for each in _BETWEEN_SIDES.split(text)] for text in texts]
        wrong = next((at for at, numbers in enumerate(sizes) if inputs and len(numbers) not in (1, len(inputs))), None)
        if wrong is not None:
            sides = " x ".join(each.rpartition(".")[2] for each in inputs)
            message = f"`{name} = {texts[wrong]}` has {len(sizes[wrong])} numbers"
            raise refuse("bad-size", message, help=f"Write {sides}, such as 1024x768, or one number for all.")
        whole = [numbers * (len(inputs) // len(numbers)) for numbers in sizes]
        return tuple((side, ", ".join(numbers[at] for numbers in whole)) for at, side in enumerate(inputs))

    def words_for(self, words: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        """What others call the words of a choice, with ours."""
        return tuple((theirs, ours) for theirs, ours in self.words.items() if ours in words and theirs not in words)

    def advised(self, name: str) -> str:
        """What to give instead of a name that means something else, or begins as one; nothing for any other."""
        plain = plain_name(name)
        beginnings = (text for key, text in self.advice.items() if key.endswith("*") and plain.startswith(key[:-1]))
        return self.advice.get(plain) or next(beginnings, "")

    def phrase_at(self, words: Sequence[str], *, job: bool = False) -> tuple[int, tuple[str, ...]]:
        """How many of the first words are a phrase, the longest one, and the options that say the same; 0 for none."""
        return _phrase_at(words, {**self.phrases, **self.job_phrases} if job else self.phrases)

    def verb_at(self, words: Sequence[str], *, load: bool = False) -> tuple[int, tuple[str, ...]]:
        """How many of the first words ask for a verb, here or beside a load, with it and its options; 0 for none."""
        return _phrase_at(words, {**self.verb_phrases, **self.load_verb_phrases} if load else self.verb_phrases)

    def load_at(self, words: Sequence[str], *, job: bool) -> bool:
        """Whether the first words state a load for which accelerators are counted."""
        return any({*loads} & {*self.phrase_at(words, job=job)[1]} for loads in self.counting_verbs.values())

    def counts_at(self, words: Sequence[str]) -> bool:
        """Whether the first words ask for what hangs on how many accelerators are needed."""
        return _phrase_at(words, self.counting_phrases)[0] > 0

    def as_memory(self, words: Sequence[str], options: Sequence[str]) -> list[str]:
        """The options, as words that ask for memory mean them: `16 users` as sequences at once."""
        asked = (_phrase_at(words[at:], self.memory_words) for at in range(len(words)))
        people, held = next((pair for length, pair in asked if length), ("", ""))
        return [held if option == people else option for option in options]

    def around_at(self, words: Sequence[str]) -> tuple[int, str]:
        """How many of the first words stand around the name of a record, the most of them, and of which kind."""
        lengths = range(min(len(words), _LONGEST_AROUND), 0, -1)
        found = ((length, self.around.get(plain_name(" ".join(words[:length])), "")) for length in lengths)
        return next((pair for pair in found if pair[1]), (0, ""))

    def tunings_of(self, kind: str) -> frozenset[str]:
        """The parts of a name that tell of how a record of a kind was tuned, which changes none of its inputs."""
        return frozenset(name for name, tuning in self.tunings.items() if tuning == kind)

    def variants_of(self, kind: str) -> frozenset[str]:
        """The parts of a name without which it is that of another record of a kind."""
        return frozenset(name for name, variant in self.variants.items() if variant == kind)


def _phrase_at(words: Sequence[str], phrases: Mapping[str, tuple[str, ...]]) -> tuple[int, tuple[str, ...]]:
    """How many of the first words are the longest of these phrases, with its options; 0 for none."""
    longest = max((len(phrase.split()) for phrase in phrases), default=0)
    plain = [word.rstrip("?,.") for word in words[:longest]]
    inside = [_IN_WORD.sub("#", name) for name in plain]  # `$2/hour`, `10rps`
    whole = ["#" if _NUMBER.fullmatch(name.lower()) else other for name, other in zip(plain, inside, strict=True)]
    for length in range(len(plain), 0, -1):
        for written in (plain, inside, whole):  # `5s video` is no `5 video`
            options = phrases.get(" ".join(written[:length]).lower())
            if options is not None:
                numbers = [number for word in plain[:length] for number in _numbers(word, whole=written is not inside)]
                return length, tuple(_filled(option, numbers) for option in options)
    return 0, ()


def _filled(option: str, numbers: list[str]) -> str:
    """An option with the next number in place of `#`, or what `1000/#`, `100-#` or `#*#` says of it or several."""
    if multiplied := _PRODUCT.search(option):
        factors = [_in_figures(numbers.pop(0)) for _ in range(multiplied[0].count("#"))]
        return option.replace(multiplied[0], f"{prod(factors):g}")
    if (computed := _COMPUTED.search(option)) and _IN_WORD.fullmatch(numbers[0]):
        whole, number = int(computed[1]), float(numbers.pop(0))
        return option.replace(computed[0], f"{whole / number if computed[2] == '/' else whole - number:.6g}")
    return option.replace("#", numbers.pop(0)) if "#" in option else option


def _in_figures(number: str) -> float:
    """A number with its magnitude written out, `52k` as 52,000; raises FormulaError for one with another ending."""
    found = _FIGURES.fullmatch(number)
    if found is None:
        raise refuse("bad-value", f"`{number}` is no number", help="Write 52000 or 52k.", subject=number)
    return float(found[1]) * (multiple_of(found[2].upper()) if found[2] else 1)


def _numbers(word: str, *, whole: bool) -> list[str]:
    """The numbers of a word as options have them: `1,000` plain, `16,32` as two, `1m` as a million, 2 of `$2/hour`."""
    found = [word] if whole and _NUMBER.fullmatch(word.lower()) else _IN_WORD.findall(word)
    plain = [each.replace(",", "") if _GROUPED.match(each) else each.rstrip(",.") for each in found]
    return [f"{each[:-1]}M" if each.endswith("m") else each for each in plain]


NO_SYNONYMS = Synonyms()


def plain_name(written: str) -> str:
    """A name or word as this file writes it: `1F1B` and `zb-h1` as `1f1b` and `zb_h1`."""
    return written.strip().lower().replace("-", "_").replace(" ", "_")


def synonyms_in(data: Mapping[str, Any], shown: str) -> Synonyms:
    """What a file says; raises FormulaError for one of another form, or a name that would mean two things."""
    check_table(_SYNONYMS, data, shown, {})
    theirs = {part: dict(_ours_by_theirs(data.get(part, {}), f"{shown} [{part}]")) for part in _PARTS[:-1]}
    sizes = {plain_name(name): tuple(inputs) for name, inputs in data.get("sizes", {}).items()}
    phrases = {part: _spelled(data.get(part, {}), f"{shown} [{part}]") for part in _PHRASES}
    plain = {part: data.get(part, {}) for part in ("advice", "counting_verbs", "counting_lacks")}
    read: dict[str, Any] = {**theirs, **phrases, **plain}
    return Synonyms(**read, sizes=sizes)


def _spelled(said: Mapping[str, Sequence[str]], where: str) -> dict[str, tuple[str, ...]]:
    """Every phrase that alternatives such as `(ttft|first token) #(ms|s|)` stand for, with its options.

    `$2` of an option is what was chosen in the second brackets. Raises FormulaError for a phrase that stands twice.
    """
    found: dict[str, tuple[str, ...]] = {}
    for text, options in said.items():
        plain, brackets = _ALTERNATIVES.split(text)[::2], _ALTERNATIVES.findall(text)
        for chosen in product(*(each.split("|") for each in brackets)):
            phrase = " ".join("".join(chain.from_iterable(zip(plain, (*chosen, ""), strict=True))).split())
            if phrase in found:
                raise refuse("bad-synonyms", f"{where}: `{phrase}` stands twice")
            filled = (_CHOSEN.sub(lambda place, all_=chosen: all_[int(place[1]) - 1], option) for option in options)  # type: ignore[misc]
            found[phrase] = tuple(name.strip() for name in filled)
    return found


def _ours_by_theirs(said: Mapping[str, Any], where: str) -> Iterator[tuple[str, str]]:
    seen: dict[str, str] = {}
    for ours, theirs in said.items():
        for word in theirs:
            name = plain_name(word)
            if name in seen:
                raise refuse("bad-synonyms", f"{where}: `{word}` means both `{seen[name]}` and `{ours}`")
            seen[name] = ours
            yield name, ours


def misnamed(synonyms: Synonyms, known: Mapping[str, Collection[str]]) -> Iterator[Diagnostic]:
    """A finding for each synonym of nothing, or that is a name of ours; `known` holds ours by part of the file."""
    for part, names in known.items():
        for theirs, ours in getattr(synonyms, part).items():
            if ours not in names:
                yield Diagnostic("bad-synonyms", f"{FILE} [{part}]: there is no `{ours}`, which `{theirs}` leads to")
            elif theirs in names and part != "words":  # of another choice
                yield Diagnostic("bad-synonyms", f"{FILE} [{part}]: `{theirs}` is a name of ours")
