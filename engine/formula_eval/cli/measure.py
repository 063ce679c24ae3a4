"""Implements `measure`: times the kernels of this machine."""

import click

from formula_eval import export
from formula_eval.cli import options, verb_command
from formula_eval.cli.output import say
from formula_eval.cli.progress import progress
from formula_eval.cli.terminal import print_or_write, this_screen


@click.command("measure", cls=verb_command.LibraryCommand)
@click.option("-o", "--output", metavar="RUNS.csv", type=verb_command.WrittenFile(), help="The times, for `calibrate`.")
@click.option(
    "--record", metavar="FILE.toml", type=verb_command.WrittenFile(), help="A record of this accelerator, for --gpu."
)
@click.option("--cpu", is_flag=True, help="The CPU, where there is an accelerator too.")
@click.option("--quick", is_flag=True, help="Small kernels, in a few seconds.")
@options.library_option
@click.pass_context
def command(
    ctx: click.Context, /, output: str | None, record: str | None, *, cpu: bool, quick: bool, **_: object
) -> None:
    """Time products, copies, attention, launches and collectives on this machine's accelerator, in about a minute.

    With PyTorch and an accelerator these are its kernels, else those of the CPU by NumPy.
    """
    from formula_eval.analyse.measurement.measurement import measure  # noqa: PLC0415 - loads NumPy
    from formula_eval.analyse.measurement.numpy_device import NumpyDevice  # noqa: PLC0415
    from formula_eval.analyse.measurement.torch_device import torch_device  # noqa: PLC0415

    evaluator, files = verb_command.evaluator_of(ctx), export.measurement_files
    accelerator = None if cpu else torch_device()
    size = "quick" if quick or accelerator is None else "full"
    layout = files.measure_layout(evaluator.library, evaluator.schema, size)
    with progress(layout.probes.total) as tell:
        found = measure(accelerator or NumpyDevice(), layout.probes, tell)
    print_or_write(files.measurement_text(found, this_screen()), None)
    for file, text in ((output, files.runs_text), (record, files.record_text)):
        if file is not None:
            export.files.write_whole(file, text(found, layout, evaluator.schema))
            say(f"{file}: written.", err=True)
