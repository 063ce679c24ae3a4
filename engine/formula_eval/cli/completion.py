"""Implements `completion`: prints what a shell needs to complete options, models and quantities."""

import click
from click.shell_completion import ShellComplete, get_completion_class


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script: `eval "$(formula-eval completion bash)"` in ~/.bashrc turns it on."""
    from formula_eval.cli.command import cli  # noqa: PLC0415 - it imports this module

    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"No completion for `{shell}`")
    # The class of bash would run bash to learn its version; the script itself needs no such thing.
    click.echo(ShellComplete.source(kind(cli, {}, "formula-eval", "_FORMULA_EVAL_COMPLETE")))
