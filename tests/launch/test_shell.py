"""What is read of the branches of a script is what a shell makes of them, whatever unset variables say."""

import shutil
import subprocess

import pytest
from hypothesis import example, given, settings, strategies as st

from formula_eval.launch.shell.script import read_script
from formula_eval.records.open_text import is_open
from samples import samples

_BASH = shutil.which("bash")
_NAMES = st.sampled_from("ABC")
_VALUES = st.sampled_from(["1", "2", "3", "$A", "$B", "$U", "$((A + B))", "$((2 * (A - 1) / (B * B)))", "${N:-4}"])
_OPERANDS = st.sampled_from(['"$A"', "$B", '"$C"', '"$U"', "1", "2"])
_SIGNS = st.sampled_from(["=", "==", "!=", "-eq", "-gt", "-le"])


def _compared(parts):
    return "{} {} {}".format(*parts)


_PLAIN = st.one_of(st.tuples(_OPERANDS, _SIGNS, _OPERANDS).map(_compared), _OPERANDS.map("-n {}".format))
_TESTS = st.one_of(
    _PLAIN.map("[ {} ]".format),
    _PLAIN.map("! test {}".format),
    st.tuples(_PLAIN, st.sampled_from(["&&", "||"]), _PLAIN).map(_compared).map("[[ {} ]]".format),
    st.tuples(st.sampled_from("AB"), st.sampled_from(["<", ">=", "!="]), st.sampled_from(["2", "B"]))
    .map(_compared)
    .map("(( {} ))".format),
)
_CONDITIONS = st.one_of(
    _TESTS, st.tuples(_TESTS, st.sampled_from(["&&", "||"]), _TESTS).map(_compared), st.just("echo | grep -q 1")
)
_ASSIGNED = st.one_of(st.tuples(_NAMES, _VALUES).map("=".join), _NAMES.map("unset {}".format))


def _nested(inner):
    return st.one_of(
        st.tuples(_CONDITIONS, inner, inner).map(lambda it: "if {}; then {}; else {}; fi".format(*it)),
        st.tuples(_CONDITIONS, inner, _CONDITIONS, inner).map(
            lambda it: "if {}\nthen\n{}\nelif {}; then {}\nfi".format(*it)
        ),
        st.tuples(_TESTS, st.sampled_from(["&&", "||"]), inner).map(lambda it: "{} {} {{ {}; }}".format(*it)),
        st.tuples(_TESTS, _ASSIGNED, _ASSIGNED).map(lambda it: "{} && {} || {}".format(*it)),
        st.tuples(_OPERANDS, inner, inner).map(lambda it: "case {} in 1) {} ;; 2|3) {} ;; esac".format(*it)),
        st.tuples(_OPERANDS, inner).map(lambda it: "for C in {}; do {}; done".format(*it)),
        st.tuples(inner, inner).map("\n".join),
    )


_SCRIPTS = st.recursive(_ASSIGNED, _nested, max_leaves=6)


def _by_bash(script, environment):
    done = subprocess.run(
        [_BASH, "-c", script], env={"PATH": "/bin:/usr/bin", **environment}, capture_output=True, text=True, check=False
    )
    return done.stdout.splitlines()[-1].split("|")


@pytest.mark.skipif(_BASH is None, reason="no bash is here")
@settings(max_examples=samples(60))
@given(_SCRIPTS)
@example("A=0\nA=$((2 * (A - 1) / (B * B)))")
@example('unset B\nif [ "$A" != $B ]; then A=1; else unset A; fi')
@example("B=\nif [ -n $B ]; then A=5; fi\nif ! [ ! $B = 3 ]; then C=5; fi")
@example("A=0\nA=$(((A - 3) % B))\nB=$((7 / (A - 1)))")
def test_a_script_is_read_as_a_shell_runs_it(text):
    script = read_script(f'A=1\nB=2\n{text}\nvllm serve "$A" "$B" "$C"')
    read = next(each.words[2:] for each in script.commands if each.words[:1] == ("vllm",))
    counted_empty = any("counts as empty" in each for each in script.remarks)
    for environment in ({}, {"U": "1"}, {"U": "2"}):
        run = _by_bash(f'A=1\nB=2\n{text}\nprintf "%s|%s|%s\\n" "$A" "$B" "$C"', environment)
        if environment and counted_empty:
            continue
        assert [mine for mine in read if not is_open(mine)] == [
            theirs for mine, theirs in zip(read, run, strict=True) if not is_open(mine)
        ]


def test_brackets_without_end_are_left_open():
    script = read_script(f"A=$(({'(' * 5000}1{')' * 5000}))\nvllm serve $A")
    assert is_open(script.commands[-1].words[2])
