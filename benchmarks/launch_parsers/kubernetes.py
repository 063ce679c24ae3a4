"""The schemas of Kubernetes' own API."""

import kubernetes_validate
import yaml

PACKAGES = ("kubernetes-validate",)


def accept(manifest: str) -> None:
    """Hold a manifest against the newest schema."""
    for each in yaml.safe_load_all(manifest):
        kubernetes_validate.validate(each, kubernetes_validate.latest_version(), strict=True)
