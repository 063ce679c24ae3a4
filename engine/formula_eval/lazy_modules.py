"""Loads the modules of a package when they are first used, so that what is heavy costs nothing until it is needed."""

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType


def modules_of(package: str) -> Callable[[str], ModuleType]:
    """The `__getattr__` of a package whose modules are attributes that load themselves, those of its folders too.

    No two modules of a package share a name. It names them once more beneath `TYPE_CHECKING`, which tells their types.
    """

    def module(name: str) -> ModuleType:
        held = sys.modules[package]
        folder = Path(str(held.__file__)).parent
        found = None if name.startswith("__") else next(folder.rglob(f"{name}.py"), folder / name / "__init__.py")
        if found is None or not found.exists():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        parts = found.relative_to(folder).with_suffix("").parts
        made = importlib.import_module(".".join((package, *(part for part in parts if part != "__init__"))))
        if parts[-1] == "__init__" and not hasattr(made, "__getattr__"):
            made.__getattr__ = modules_of(made.__name__)  # type: ignore[method-assign]
        setattr(held, name, made)
        return made

    return module
