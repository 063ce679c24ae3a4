"""Builds the commands of KServe's own manifests: InferenceService, ServingRuntime, LLMInferenceService.

What the controller adds to a command (the model, degrees of parallelism) is said by the table of the program that it
starts, presets/launch/PROGRAM.toml [kserve].
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from formula_eval.launch.manifests.containers import command_of, commands_in, environment_of, value_at, words_of
from formula_eval.launch.shell.simple_commands import SimpleCommand
from formula_eval.launch.tables.launch_program import LaunchProgram

_GROUP = "serving.kserve.io/"
_SERVICE, _LLM_SERVICE, _LLM_CONFIG = "InferenceService", "LLMInferenceService", "LLMInferenceServiceConfig"
_RUNTIMES = ("ServingRuntime", "ClusterServingRuntime")
_MOUNTED = "/mnt/models"  # where KServe puts what a storage address names
_HUB = "hf://"
_DEEPEST = 20


def commands_of(
    documents: Sequence[Any], programs: Mapping[str, LaunchProgram], around: Mapping[str, str] = {}
) -> Iterator[SimpleCommand]:
    """The command of every container in the documents of a text, those of KServe as its controller starts them."""
    own = [document for document in documents if isinstance(document, Mapping) and _is_of_kserve(document)]
    found = list(_Services(own, programs).commands())
    yield from found
    for document in documents:
        is_own = isinstance(document, Mapping) and _is_of_kserve(document)
        if not is_own or (document.get("kind") in _RUNTIMES and not found):
            yield from commands_in(document, around)


def _is_of_kserve(document: Mapping[str, Any]) -> bool:
    return str(document.get("apiVersion", "")).startswith(_GROUP)


class _Services:
    """The services of a text, with the runtimes and configurations that they name in it."""

    def __init__(self, documents: Sequence[Mapping[str, Any]], programs: Mapping[str, LaunchProgram]) -> None:
        self._documents = documents
        self._programs = [program for program in programs.values() if program.kserve]

    def commands(self) -> Iterator[SimpleCommand]:
        """What each service starts."""
        for document in self._documents:
            spec = _table(document, "spec")
            if document.get("kind") == _SERVICE:
                yield from self._of_service(_table(spec, "predictor"))
            elif document.get("kind") == _LLM_SERVICE:
                yield from self._of_llm_service(self._composed(spec))

    def _of_service(self, predictor: Mapping[str, Any]) -> Iterator[SimpleCommand]:
        model = _table(predictor, "model")
        stored = _stored(str(model.get("storageUri", "")))
        runtime = self._runtime(str(model.get("runtime", "")))
        if runtime:
            lists = {key: [*_list(runtime, key), *_list(model, key)] for key in ("args", "env")}
            yield _with_model(command_of({**runtime, **lists}), stored)
            return
        names = (str(_table(model, "modelFormat").get("name", "")), str(model.get("runtime", "")))
        program = self._program(names)
        if program is not None:
            yield _command(program, stored, model, predictor)
        else:
            yield from commands_in(predictor)

    def _of_llm_service(self, spec: Mapping[str, Any]) -> Iterator[SimpleCommand]:
        """The command of the workers that decode, or do both, and of those that only prefill."""
        model = _table(spec, "model")
        address = str(model.get("uri", ""))
        stored = _stored(address) if address.startswith(_HUB) else str(model.get("name", "")) or _stored(address)
        program = self._program((str(spec.get("runtime", "")),)) or next(
            (each for each in self._programs if each.kserve.get("usual")), None
        )
        roles = [spec, *([{**spec, **spec["prefill"]}] if isinstance(spec.get("prefill"), Mapping) else [])]
        for role in roles:
            containers = [each for each in _list(_table(role, "template"), "containers") if isinstance(each, Mapping)]
            container = next((each for each in containers if each.get("name") == "main"), (containers or [{}])[0])
            if container.get("command"):
                yield _with_model(command_of(container), stored)
            elif program is not None:
                yield _command(program, stored, container, role)

    def _runtime(self, name: str) -> Mapping[str, Any]:
        """The container of a runtime that stands in the same text."""
        named = (document for document in self._documents if document.get("kind") in _RUNTIMES)
        found = next((each for each in named if name and _table(each, "metadata").get("name") == name), {})
        containers = [
            container for container in _list(_table(found, "spec"), "containers") if isinstance(container, Mapping)
        ]
        return containers[0] if containers else {}

    def _composed(self, spec: Mapping[str, Any], depth: int = 0) -> Mapping[str, Any]:
        """A service over the configurations that it refers to, as far as they stand in the same text."""
        whole: Mapping[str, Any] = {}
        names = [baseref.get("name") for baseref in _list(spec, "baseRefs") if isinstance(baseref, Mapping)]
        for document in self._documents:
            if (
                document.get("kind") == _LLM_CONFIG
                and _table(document, "metadata").get("name") in names
                and depth < _DEEPEST
            ):
                whole = _merged(whole, self._composed(_table(document, "spec"), depth + 1))
        return _merged(whole, spec)

    def _program(self, names: Sequence[str]) -> LaunchProgram | None:
        """The program that a model format or a runtime is called after."""
        words = {word for name in names for word in re.split(r"[^a-z0-9]+", name.lower())}
        return next((program for program in self._programs if words & {*program.kserve.get("runtimes", ())}), None)


def _command(
    program: LaunchProgram, model: str, container: Mapping[str, Any], spec: Mapping[str, Any]
) -> SimpleCommand:
    """A program's command, with the model, what the manifest says in words of its own, and the arguments given."""
    environment = environment_of(container)
    named = next(iter(program.model_options), "")
    words = [*program.commands[0], *([f"--{named}={model}"] if model and named else [])]
    for path, option in program.kserve.get("options", {}).items():
        value = value_at(spec, path)
        if value is True:
            words.append(f"--{option}")
        elif isinstance(value, int | str) and not isinstance(value, bool):
            words.append(f"--{option}={value}")
    words += words_of(_list(container, "args"), environment)
    words += words_of(environment.get(str(program.kserve.get("arguments", "")), ""), {})
    return SimpleCommand(tuple(words), environment, image=str(container.get("image", "")))


def _with_model(command: SimpleCommand, model: str) -> SimpleCommand:
    """A command with the model in place of the folder into which it is put."""
    words = (word.replace(_MOUNTED, model) if model and word.endswith(_MOUNTED) else word for word in command.words)
    return command._replace(words=tuple(words))


def _stored(address: str) -> str:
    """The model that an address of a storage names: that of the hub, or the path of another one."""
    if address.startswith(_HUB):
        return re.split("[:@]", address.removeprefix(_HUB))[0]
    _, scheme, path = address.rpartition("://")
    return f"/{path.strip('/').partition(':')[0]}" if scheme else address


def _merged(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(under)
    for key, value in over.items():
        below = found.get(key)
        found[key] = _merged(below, value) if isinstance(below, Mapping) and isinstance(value, Mapping) else value
    return found


def _table(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = table.get(key)
    return value if isinstance(value, Mapping) else {}


def _list(table: Mapping[str, Any], key: str) -> list[Any]:
    value = table.get(key)
    return value if isinstance(value, list) else []
