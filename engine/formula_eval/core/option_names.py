"""The names that options of the command bear whatever the formulas are: no kind of records can have one of them."""

OPTIONS = frozenset(
    [
        "accept",
        "answer",
        "brief",
        "calibrate",
        "chart",
        "cross_validate",
        "depth",
        "draft",
        "fill",
        "force",
        "format",
        "help",
        "help_all",
        "inputs",
        "library",
        "namespace",
        "no_cache",
        "notation",
        "only",
        "output",
        "refs",
        "set",
        "style",
        "templates",
        "training",
        "version",
        "watch",
        "why",
    ]
)
