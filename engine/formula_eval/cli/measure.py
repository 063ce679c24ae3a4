"""Implements `measure`: times the kernels of this machine."""

import click

from formula_eval.cli import options
from formula_eval.cli.output import say
from formula_eval.cli.progress import progress
from formula_eval.cli.terminal import print_or_write, this_screen


@click.command("measure", cls=options.LibraryCommand)
@click.option("-o", "--output", metavar="RUNS.csv", type=options.WrittenFile(), help="The times, for `calibrate`.")
@click.option(
    "--record", metavar="FILE.toml", type=options.WrittenFile(), help="A record of this accelerator, for --gpu."
)
@click.option("--cpu", is_flag=True, help="The CPU, where there is an accelerator too.")
@click.option("--quick", is_flag=True, help="Small kernels, in a few seconds.")
@options.library_option
@click.pass_context
def command(  # noqa: PLR0913 - one for each option
    ctx: click.Context,
    /,
    *,
    output: str | None,
    record: str | None,
    cpu: bool,
    quick: bool,
    library: tuple[str, ...],
    no_cache: bool,
) -> None:
    """Time products, copies, attention, launches and collectives on this machine's accelerator, in about a minute.

    With PyTorch and an accelerator these are its kernels, else those of the CPU by NumPy.
    """
    from formula_eval.analyse.measurement.measurement import measure  # noqa: PLC0415 - loads NumPy
    from formula_eval.analyse.measurement.numpy_device import NumpyDevice  # noqa: PLC0415
    from formula_eval.analyse.measurement.torch_device import torch_device  # noqa: PLC0415
    from formula_eval.export.files import write_whole  # noqa: PLC0415
    from formula_eval.export.measurement_files import measure_layout, record_text, runs_text  # noqa: PLC0415
    from formula_eval.export.terminal.measurement import measurement_text  # noqa: PLC0415

    del library, no_cache
    evaluator = options.evaluator_of(ctx)
    accelerator = None if cpu else torch_device()
    size = "quick" if quick or accelerator is None else "full"
    layout = measure_layout(evaluator.library, evaluator.schema, size)
    with progress(layout.probes.total) as tell:
        found = measure(accelerator or NumpyDevice(), layout.probes, tell)
    print_or_write(measurement_text(found, this_screen()), None)
    for file, text in ((output, runs_text), (record, record_text)):
        if file is not None:
            write_whole(file, text(found, layout, evaluator.schema))
            say(f"{file}: written.", err=True)
