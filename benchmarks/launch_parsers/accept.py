"""Run in the interpreter that has a program: what its parser says of each text on standard input, as JSON."""

import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module, metadata
from io import StringIO
from pathlib import Path
from typing import Any


def main(program: str) -> int:
    """Print the versions, and for each refused text its number and why."""
    texts: list[Any] = json.load(sys.stdin)
    sys.path[:] = [each for each in sys.path if Path(each or ".").resolve() != Path(__file__).parent]
    sys.path.append(str(Path(__file__).parents[2]))
    noise = StringIO()
    with redirect_stdout(noise), redirect_stderr(noise):
        parser = import_module(f"benchmarks.launch_parsers.{program}")
        refused = [found for number, text in enumerate(texts) if (found := _refusal(parser, number, text, noise))]
    sys.stdout.write(json.dumps({"versions": list(_versions(parser.PACKAGES)), "refused": refused}))
    return 0


def _refusal(parser: Any, number: int, text: Any, noise: StringIO) -> tuple[int, str] | None:  # noqa: ANN401 - a module
    """Why a text is refused; None for one that is accepted."""
    noise.truncate(0)
    try:
        parser.accept(text)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a parser raises is its answer
        said = noise.getvalue().strip().splitlines() or [""]
        return number, " ".join((said[-1] if isinstance(error, SystemExit) else str(error)).split())
    return None


def _versions(packages: tuple[str, ...]) -> Any:  # noqa: ANN401 - texts
    for each in packages:
        try:
            yield f"{each} {metadata.version(each)}"
        except metadata.PackageNotFoundError:
            continue


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
