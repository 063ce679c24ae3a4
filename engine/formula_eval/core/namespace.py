"""Folders of formulas as dotted names: `published.genz` lies in `published`, that in the root, which has no name."""


def around(namespace: str) -> tuple[str, ...]:
    """A folder and those around it, innermost first; the root, which has no name, comes last."""
    parts = namespace.split(".") if namespace else []
    return tuple(".".join(parts[:count]) for count in range(len(parts), -1, -1))


def qualified(namespace: str, name: str) -> str:
    """`params` and `total` to `params.total`; the root has no prefix."""
    return f"{namespace}.{name}" if namespace else name
