"""Turns failed checks into messages: one for each, and one for all that a library changed of what was asked."""

from collections.abc import Iterator, Sequence

from formula_eval.core.namespace import is_change_note
from formula_eval.evaluate.result import CheckResult

_MOST = 3


def spoken(checks: Sequence[CheckResult]) -> list[tuple[str, str]]:
    """The level and the words of each check that fails."""
    others = [(each.level, each.message) for each in checks if not each.ok and not is_change_note(each.name)]
    return [*(("note", line) for line in changed_lines(checks)), *others]


def changed_lines(checks: Sequence[CheckResult]) -> Iterator[str]:
    """The changes of each library to what was asked; a single change in its own words."""
    authors: dict[str, list[CheckResult]] = {}
    for each in checks:
        if not each.ok and is_change_note(each.name):
            authors.setdefault(each.change[0] if each.change else each.name, []).append(each)
    for author, changes in authors.items():
        yield changes[0].message if len(changes) == 1 else _summary(author, changes)


def _summary(author: str, changes: Sequence[CheckResult]) -> str:
    """`vision extends params.total, prompt and 3 more and adds rows to ...; show NAME says how`."""
    parts = []
    for verb in dict.fromkeys(each.change[1] for each in changes):
        names = list(dict.fromkeys(each.change[2] for each in changes if each.change[1] == verb))
        parts.append(f"{verb} {_listed(names)}")
    return f"{author} {_enumerated(parts)}; `formula-eval show NAME` says how."


def _listed(names: Sequence[str]) -> str:
    shown = names if len(names) <= _MOST + 1 else names[:_MOST]
    more = [f"{len(names) - len(shown)} more"] if len(names) > len(shown) else []
    return _enumerated([*shown, *more])


def _enumerated(parts: Sequence[str]) -> str:
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last
