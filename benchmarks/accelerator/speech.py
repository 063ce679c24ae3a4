"""Speech models with Transformers: what hears, and what writes."""

from collections.abc import Iterator
from functools import partial

import torch
from benchmarks.accelerator.build import built, numbers
from benchmarks.accelerator.clock import first_and_next, timed
from transformers.modeling_outputs import BaseModelOutput

_BATCHES = (1, 8, 32)
_GENERATED = 65


def transcribing(name: str) -> Iterator[tuple[dict, dict]]:
    """Times of windows of 30 s: the encoder alone, then tokens after it."""
    model = built(name)
    mels = model.config.num_mel_bins
    with torch.inference_mode():
        for batch in _BATCHES:
            heard = numbers(batch, mels, 3000)
            yield {"model": name, "phase": "encode", "batch": batch}, timed(model.model.encoder, heard)
            states = model.model.encoder(heard).last_hidden_state
            inputs = {"model": name, "phase": "write", "batch": batch, "output_len": _GENERATED}
            yield inputs, first_and_next(partial(_write, model, states), _GENERATED)


def _write(model: torch.nn.Module, states: torch.Tensor, count: int) -> object:
    """Tokens of a transcript, by the loop that generation runs, without its searches for timestamps."""
    token = torch.full((len(states), 1), 50258, device="cuda")
    cache = None
    for _ in range(count):
        out = model(
            encoder_outputs=BaseModelOutput(states), decoder_input_ids=token, past_key_values=cache, use_cache=True
        )
        cache = out.past_key_values
        token = out.logits[:, -1:].argmax(-1)
    return token
