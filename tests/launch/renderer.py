"""A case of tests/launch/cases to the texts in which people write it."""

import json
import shlex
from collections.abc import Callable, Iterator, Mapping
from typing import Any


def forms_of(case: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The name of each form, and the text; what a file says is also said by a here-document's text alone."""
    if "text" in case:
        yield "text", case["text"]
        return
    if "file" in case:
        yield case["file"], _FILES[case["file"]](_nested(case["options"]))
        return
    words = _words(case)
    start = case["command"]
    yield "line", f"{start} {shlex.join(words)}"
    yield "continued", " \\\n    ".join([start, *_by_option(words)])
    if not case.get("pairs"):
        yield "lines without backslash", "\n  ".join([start, *_by_option(words)])
    lines = "\n  ".join(_by_option(words))
    yield "variables", f'ARGS=(\n  {lines}\n)\n{start} "${{ARGS[@]}}" &\n'
    yield "default", f'START="{start}"\nexport X=1\n${{OTHER:-$START}} {shlex.join(words)} 2>&1 | tee log.txt\n'
    yield "inner shell", f"ssh host {shlex.quote(f'cd /tmp && {start} {shlex.join(words)}')}"
    yield "slurm", f"#!/bin/bash\n#SBATCH --job-name=x\n# {start} --old\nsrun {start} {shlex.join(words)}\n"
    yield from _wrapped(start, words)
    if not start.startswith("docker"):
        yield from _contained(start, words)


def _contained(start: str, words: list[str]) -> Iterator[tuple[str, str]]:
    """The files that start it in a container."""
    whole = [*shlex.split(start), *words]
    yield "Dockerfile", f"FROM a:1 AS b\nENV X=1\nENTRYPOINT {json.dumps(whole[:1])}\nCMD {json.dumps(whole[1:])}\n"
    container = {"image": "example/image:1", "command": shlex.split(start), "args": words}
    yield "manifest", json.dumps({"kind": "Deployment", "spec": {"template": {"spec": {"containers": [container]}}}})
    yield "compose", json.dumps({"services": {"x": {"image": "a", "command": f"{start} {shlex.join(words)}"}}})


def _wrapped(start: str, words: list[str]) -> Iterator[tuple[str, str]]:
    """What people keep a command in beside scripts."""
    line = f"{start} {shlex.join(words)}"
    whole = [*shlex.split(start), *words]
    yield "Markdown", f"Start it so:\n\n```bash\n$ {line}\n```\n\nIt says:\n\n```json\n{{...}}\n```\n"
    yield "unit", f"[Unit]\nDescription=x\n\n[Service]\nEnvironment=A=1 B=2\nExecStart=-{line}\nRestart=always\n"
    recipe = " \\\n\t  ".join([start, *_by_option(words)]).replace("$", "$$")
    yield "Makefile", f"PORT ?= 80\n\n.PHONY: serve\nserve: model\n\t@echo $(PORT)\n\t@{recipe}\n"
    yield "Python", f"import subprocess\ncmd = {whole[:2]!r}\ncmd += {whole[2:]!r}\nsubprocess.run(cmd, check=True)\n"
    yield "Windows", " ^\r\n  ".join([start, *_by_option(words)]) + "\r\n"
    yield "task", f"name: x\nenvs:\n  A: 1\nrun: |\n  conda activate x\n  {line}\n"


def _words(case: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    for name, value in case["options"].items():
        if case.get("pairs"):
            found.append(f"{name}={value}")
        else:
            found += [f"--{name}", *([] if value is True else [str(value)])]
    for name, value in case.get("json", {}).items():
        found += [f"--{name}", json.dumps(value)]
    return found


def _by_option(words: list[str]) -> list[str]:
    """The words as lines, an option on each."""
    lines: list[list[str]] = []
    for word in words:
        if word.startswith("--") or "=" in word or not lines:
            lines.append([])
        lines[-1].append(word)
    return [shlex.join(each) for each in lines]


def _nested(options: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in options.items():
        *outer, last = name.split(".")
        place = found
        for part in outer:
            place = place.setdefault(part, {})
        place[last] = value
    return found


def _toml(tables: Mapping[str, Any]) -> str:
    plain = [f"{key} = {json.dumps(value)}" for key, value in tables.items() if not isinstance(value, dict)]
    inner = [f"\n[{key}]\n{_toml(value)}" for key, value in tables.items() if isinstance(value, dict)]
    return "\n".join([*plain, *inner])


def _yaml(tables: Mapping[str, Any], indent: str = "") -> str:
    lines = []
    for key, value in tables.items():
        inner = f"\n{_yaml(value, f'{indent}  ')}" if isinstance(value, dict) else f" {json.dumps(value)}"
        lines.append(f"{indent}{key}:{inner}")
    return "\n".join(lines)


_FILES: dict[str, Callable[[dict[str, Any]], str]] = {"json": json.dumps, "toml": _toml, "yaml": _yaml}
