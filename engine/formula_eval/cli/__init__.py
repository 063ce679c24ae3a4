"""The command `formula-eval`: options to questions, answers to text, findings to messages and exit codes."""

from formula_eval.cli.command import main

__all__ = ["main"]
