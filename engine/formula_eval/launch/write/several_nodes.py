"""Builds the command that starts a program: bare, in a container, by Slurm, on one node or on several."""

import shlex
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from formula_eval.core.diagnostic import refuse
from formula_eval.launch.tables.launch_program import LaunchProgram
from formula_eval.records.roles import Roles

SLURM, DOCKER, KUBERNETES, KSERVE = "slurm", "docker", "kubernetes", "kserve"
IN_CONTAINERS = (DOCKER, KUBERNETES, KSERVE)
_ALL_MEET = "ACROSS"
_NEXT = " \\\n    "
_WORKER = "${WORKER:+%s}"


class LaunchPlace(NamedTuple):
    """Where a launch runs: one of `formats.SHAPES`, on so many nodes with so many accelerators each."""

    shape: str
    nodes: int
    per_node: int

    @property
    def rank(self) -> str:
        """The variable that tells a node its number."""
        return {SLURM: "$SLURM_NODEID", KUBERNETES: "$(LWS_WORKER_INDEX)"}.get(self.shape, "$NODE_RANK")


def refuse_place(program: LaunchProgram, place: LaunchPlace, roles: Roles) -> None:
    """Raise FormulaError where a program cannot run there: no image of it is known, or no way for nodes to meet."""
    refuse_shape(program, place.shape)
    if place.nodes > 1 and not program.nodes and program.purpose == roles.purposes[0]:
        message = f"{program.title} runs on one node, and this takes {place.nodes} of {place.per_node} accelerators"
        raise refuse("several-nodes", message, help=f"Give degrees that multiply to {place.per_node} at most.")
    if place.nodes > 1 and place.shape == KSERVE:
        message = f"`--as {KSERVE}` writes a service on one node, and this takes {place.nodes}"
        raise refuse("several-nodes", message, help=f"Write it `--as {KUBERNETES}`.")


def refuse_shape(program: LaunchProgram, shape: str) -> None:
    """Raise FormulaError where a program is to run in a container and no image of it is known."""
    if shape in IN_CONTAINERS and not program.container:
        help_ = "Write it `--as shell` or `--as slurm`."
        raise refuse("no-image", f"{program.shown} names no image of {program.title}", help=help_)


def refuse_wrapping(program: LaunchProgram, shape: str) -> None:
    """Raise FormulaError where a program's file is to be wrapped as only commands are."""
    if shape in (SLURM, *IN_CONTAINERS):
        start = f"It is read by `{program.start}`." if program.start else "Whatever starts it names this file."
        message = f"`--as {shape}` wraps a command, and {program.title} is configured by a file"
        raise refuse("no-command", message, help=f"Leave out --as. {start}")


def started(program: LaunchProgram, place: LaunchPlace) -> str:
    """How the command of a program begins there."""
    return program.started(place.per_node, place.nodes, meeting(program, place))


def meeting(program: LaunchProgram, place: LaunchPlace) -> str:
    """The options by which the nodes meet; none on a single node."""
    if place.nodes == 1:
        return ""
    options = program.nodes.get("options", "").replace("NODES", str(place.nodes)).replace("RANK", place.rank)
    return options.replace("$LEADER", "$(LWS_LEADER_ADDRESS)") if place.shape == KUBERNETES else options


def own_words(program: LaunchProgram, place: LaunchPlace) -> tuple[list[str], list[str]]:
    """The words after the options, for the leader and for each worker."""
    inside = list(map(str, program.container.get("arguments", ()))) if place.shape in IN_CONTAINERS else []
    joined = [] if _ALL_MEET in program.start else meeting(program, place).split()
    worker = program.nodes.get("worker", "").split() if joined else []
    return [*inside, *joined], [*inside, *joined, *worker]


def script(program: LaunchProgram, place: LaunchPlace, model: Sequence[str], options: Sequence[str]) -> str:
    """The statement that a shell runs; `model` stands before the options, each of which is quoted already."""
    leader, worker = own_words(program, place)
    further = leader[:]
    if worker != leader:
        further += [_WORKER % " ".join(worker[len(leader) :])]
    start = " ".join([*_start(program, place), *map(shlex.quote, model)])
    lines = [start, *options, *([" ".join(further)] if further else [])]
    whole = _NEXT.join(lines)
    if place.shape != SLURM:
        return f"{_worker_line(program, place)}{whole}"
    if place.rank not in whole:
        return f"srun {whole}"
    return f"srun bash -c {shlex.quote(f'{_worker_line(program, place)}{whole}')}"


def notes(program: LaunchProgram, place: LaunchPlace) -> Iterator[str]:
    """Notes on what else to add to the command, and how the nodes meet."""
    if program.besides:
        yield f"Yours to add: {program.besides}."
    if place.nodes == 1 or place.shape in (KUBERNETES, KSERVE):
        return
    options = program.nodes.get("options", "")
    if place.shape != SLURM and "$LEADER" in options:
        number = ", NODE_RANK its number, from 0" if "RANK" in options else ""
        yield f"Run it on each of the {place.nodes} nodes: LEADER is the address of the first{number}."
    if program.nodes.get("note"):
        yield program.nodes["note"]


def _worker_line(program: LaunchProgram, place: LaunchPlace) -> str:
    """The variable that is empty on the first node, where options of workers hang on it."""
    leader, worker = own_words(program, place)
    return f"WORKER=${{{place.rank[1:]}#0}}\n" if leader != worker else ""


def _start(program: LaunchProgram, place: LaunchPlace) -> Iterator[str]:
    if place.shape != DOCKER:
        yield started(program, place)
        return
    container = program.container
    port = container["port"]
    network = "--network host" if place.nodes > 1 else f"-p {port}:{port}"
    image = f"{container['image']} {'' if container.get('runs') else started(program, place)}".rstrip()
    yield _NEXT.join((f"docker run --gpus all --ipc=host {network}", f"-v {container['volume']}", "-e HF_TOKEN", image))
