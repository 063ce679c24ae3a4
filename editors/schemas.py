"""The shapes of TOML tables to JSON Schemas and a table of the keys of launch tables: `python editors/schemas.py`.

What a key means stands in keys.toml; its kind of value and whether it may be left out are those of the engine's reader.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import tomli

from formula_eval.check.toml_tables import TABLE_FILES
from formula_eval.launch.tables.program_reader import PROGRAM
from formula_eval.toml_shape import Either, Kinds, Plain, Several, Shape, Table, Text

HERE = Path(__file__).parent
SCHEMAS = HERE / "schemas"
PAGE = HERE.parent / "presets" / "launch" / "README.md"
MEANINGS: Mapping[str, Any] = tomli.loads((HERE / "keys.toml").read_text(encoding="utf-8"))
_PLAIN = {int: "integer", float: "number", bool: "boolean"}


def schema(shape: Shape, meant: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Schema of a shape, its keys described as they are `meant`."""
    if isinstance(shape, Plain):
        return {"type": [_PLAIN[each] for each in shape.types]}
    if isinstance(shape, Text):
        said = f"The name of {_an(shape.kind)}." if shape.kind else ""
        return {
            "type": "string",
            **({"enum": list(shape.words)} if shape.words else {}),
            **({"description": said} if said else {}),
        }
    if isinstance(shape, Several):
        return {"type": "array", "items": schema(shape.each, meant)}
    if isinstance(shape, Either):
        return {"anyOf": [schema(each, meant) for each in shape.shapes]}
    if isinstance(shape, Kinds):
        return {"anyOf": [_of_kind(name, each, meant) for name, each in shape.kinds.items()]}
    return _of_table(shape, meant) if isinstance(shape, Table) else {}


def _of_kind(name: str, shape: Table, meant: Mapping[str, Any]) -> dict[str, Any]:
    found = _of_table(shape, meant)
    found["properties"]["kind"] = {"const": name}
    return found


def _of_table(shape: Table, meant: Mapping[str, Any]) -> dict[str, Any]:
    properties = {}
    for name, key in shape.keys.items():
        inner = meant.get(name, {})
        properties[name] = schema(key.shape, inner if isinstance(inner, Mapping) else {})
        if said := _meaning(inner):
            properties[name]["description"] = said
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False if shape.others is None else schema(shape.others, meant),
        "required": [name for name, key in shape.keys.items() if key.unless == "\0"],
    }


def _meaning(said: object) -> str:
    return str(said.get("", "") if isinstance(said, Mapping) else said)


def _an(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def schemas() -> Iterator[tuple[str, str]]:
    """The name and the text of each schema, called after the files that it is of."""
    for each in TABLE_FILES:
        name = name_of(each.pattern)
        meant = MEANINGS.get(name, {})
        found = {
            "$schema": "https://json-schema.org/draft-07/schema",
            "title": each.pattern,
            **schema(each.shape, meant),
        }
        if "properties" in found and each.merged:
            found["properties"]["extends"] = {
                "type": "boolean",
                "description": "Adds to the file of the library before.",
            }
        yield f"{name}.json", json.dumps(found, indent=1) + "\n"


def name_of(pattern: str) -> str:
    """How the schema of files is called that match a glob."""
    return re.sub(r"[^a-z_]+", "-", pattern.removesuffix(".toml").lower()).strip("-")


def page() -> str:
    """The table of the keys of a launch table; raises KeyError for one that nobody explained."""
    lines = [str(MEANINGS["page"]).strip(), "", "| key | value | means |", "|---|---|---|"]
    lines += _rows(PROGRAM, MEANINGS["presets-launch"], "")
    return "\n".join(lines) + "\n"


def _rows(shape: Table, meant: Mapping[str, Any], place: str) -> Iterator[str]:
    for name, key in shape.keys.items():
        inner = _table_in(key.shape)
        yield f"| `{place}{name}` | {'a table' if inner else key.shape.says} | {_meaning(meant[name])} |"
        if inner is not None and isinstance(meant[name], Mapping):
            yield from _rows(inner, meant[name], f"{place}{name}{'' if inner is key.shape else '.NAME'}.")


def _table_in(shape: Shape) -> Table | None:
    """The table that a value is, or the one of each of its names."""
    if isinstance(shape, Either):
        return next((each for each in shape.shapes if isinstance(each, Table)), None)
    if not isinstance(shape, Table):
        return None
    return shape if shape.keys else _table_in(shape.others) if shape.others else None


if __name__ == "__main__":
    SCHEMAS.mkdir(exist_ok=True)
    for name, text in schemas():
        (SCHEMAS / name).write_text(text, encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
