"""Text models, tuned and generating, and encoders of text, with Transformers."""

import gc
from collections.abc import Iterator
from functools import partial

import torch
from benchmarks.accelerator.build import built, text
from benchmarks.accelerator.clock import first_and_next, timed
from peft import LoraConfig, get_peft_model

_PREFILLS = ((1, 128), (1, 2048), (1, 8192), (8, 512), (32, 128))
_DECODES = ((1, 128), (8, 512), (32, 1024))
_GENERATED = 33
_BATCHES_OF_TEXTS = ((1, 512), (32, 512), (256, 128), (4, 4096))
_TUNED = (
    ("llama3.2-1b", "full", False, 1, 2048),
    ("llama3.2-1b", "full", True, 1, 2048),
    ("llama3.2-1b", "full", True, 4, 2048),
    ("llama3.2-1b", "full", False, 4, 1024),
    ("llama3.2-1b", "lora", False, 4, 1024),
    ("llama3.1-8b", "lora", False, 1, 1024),
    ("llama3.1-8b", "lora", True, 1, 4096),
    ("llama3.1-8b", "lora", True, 4, 1024),
    ("qwen3-4b", "full", True, 1, 2048),
)


def generating(name: str) -> Iterator[tuple[dict, dict]]:
    """Times of prompts, and of tokens after them, of one text model."""
    model = built(name)
    with torch.inference_mode():
        for batch, length in _PREFILLS:
            tokens = text(batch, length)
            inputs = {"model": name, "phase": "prefill", "batch": batch, "input_len": length}
            yield inputs, timed(partial(model, tokens, use_cache=True, logits_to_keep=1))
        for batch, length in _DECODES:
            tokens = text(batch, length)
            inputs = {"model": name, "phase": "generate", "batch": batch, "input_len": length, "output_len": _GENERATED}
            yield inputs, first_and_next(partial(_generate, model, tokens), _GENERATED)


def _generate(model: torch.nn.Module, tokens: torch.Tensor, count: int) -> object:
    mask = torch.ones_like(tokens)
    return model.generate(
        tokens, attention_mask=mask, max_new_tokens=count, min_new_tokens=count, do_sample=False, pad_token_id=0
    )


def encoding(name: str) -> Iterator[tuple[dict, dict]]:
    """Times of batches of texts in one encoder."""
    model = built(name)
    with torch.inference_mode():
        for batch, length in _BATCHES_OF_TEXTS:
            tokens = text(batch, length)
            mask = torch.ones_like(tokens)
            inputs = {"model": name, "phase": "embed", "batch": batch, "input_len": length}
            yield inputs, timed(partial(model, input_ids=tokens, attention_mask=mask))


def tuning() -> Iterator[tuple[dict, dict]]:
    """Steps of fine-tuning on one accelerator, all weights or low-rank adapters of rank 16 on each linear layer."""
    for name, method, checkpoints, batch, length in _TUNED:
        gc.collect()
        torch.cuda.empty_cache()
        model = built(name)
        model.config.use_cache = False
        if method == "lora":
            model = get_peft_model(model, LoraConfig(r=16, target_modules="all-linear", task_type="CAUSAL_LM"))
            for parameter in model.parameters():
                if parameter.requires_grad:
                    parameter.data = parameter.data.to(torch.bfloat16)
        if checkpoints:
            model.enable_input_require_grads()
            model.gradient_checkpointing_enable({"use_reentrant": False})
        model.train()
        trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
        optimizer = torch.optim.AdamW(trained, lr=1e-5, fused=True)
        tokens = text(batch, length)

        inputs = {
            "model": name,
            "phase": "train",
            "method": method,
            "recompute": "full" if checkpoints else "none",
            "micro_batch": batch,
            "seq_len": length,
            "trainable_params": sum(parameter.numel() for parameter in trained),
            "layers": model.config.num_hidden_layers,
            "tied": model.config.tie_word_embeddings,
        }
        yield inputs, timed(_step, model, optimizer, tokens)
        del model, optimizer, trained


def _step(model: torch.nn.Module, optimizer: torch.optim.Optimizer, tokens: torch.Tensor) -> None:
    model(input_ids=tokens, labels=tokens).loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
