"""Implements `lsp`: runs a language server for editors over standard input and output."""

import gc

import click

from formula_eval.core.missing_extra import missing_extra


@click.command("lsp")
@click.option("--stdio", is_flag=True, hidden=True, help="What some editors add; there is no other way.")
def command(*, stdio: bool) -> int:
    """Serve an editor: findings while you type, hover, definition, references, rename, completion, format."""
    del stdio
    try:
        from formula_eval.lsp.features import serve  # noqa: PLC0415 - only this verb needs pygls
    except ModuleNotFoundError as error:
        if error.name not in ("pygls", "lsprotocol"):
            raise
        raise missing_extra("The language server", "pygls", "lsp") from None
    gc.enable()  # unlike other verbs, this one lives for hours
    serve()
    return 0
