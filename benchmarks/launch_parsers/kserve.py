"""The models of KServe's own API, as its Python package holds them."""

from collections.abc import Mapping
from typing import Any

import yaml
from kserve import models
from kubernetes import client

PACKAGES = ("kserve", "kubernetes")


def accept(manifest: str) -> None:
    """Hold a manifest against the model of its kind; raises ValueError for a field that it has not."""
    for each in yaml.safe_load_all(manifest):
        version = str(each["apiVersion"]).partition("/")[2]
        _hold(each, f"{version[0].upper()}{version[1:]}{each['kind']}", each["kind"])


def _hold(value: Any, kind: str, where: str) -> None:  # noqa: ANN401 - what YAML holds
    if kind.startswith("list["):
        for each in value:
            _hold(each, kind.removeprefix("list[").removesuffix("]"), where)
        return
    model = getattr(models, kind, None) or getattr(client, kind, None)
    if model is None or not isinstance(value, Mapping):
        return
    kinds = {model.attribute_map[name]: each for name, each in model.openapi_types.items()}
    for key, inner in value.items():
        if key not in kinds:
            raise ValueError(f"{where} has no field {key}")
        _hold(inner, kinds[key], f"{where}.{key}")
