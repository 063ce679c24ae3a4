"""Bits per weight of number formats: against the layout of their blocks, and against files that llama.cpp made."""

import pytest

from formula_eval import FormulaError

# tools/quantize/README.md of llama.cpp: bits per weight of Llama 3.1 8B, 8,030,261,248 parameters.
PUBLISHED = {
    "iq1_s": 2.0042,
    "iq1_m": 2.146,
    "iq2_xxs": 2.3824,
    "iq2_xs": 2.5882,
    "iq2_s": 2.7403,
    "iq2_m": 2.9294,
    "iq3_xxs": 3.2548,
    "iq3_xs": 3.4977,
    "iq3_s": 3.6606,
    "iq3_m": 3.7628,
    "iq4_xs": 4.4597,
    "iq4_nl": 4.6818,
    "q2_k_s": 2.9697,
    "q2_k": 3.1593,
    "q3_k_s": 3.6429,
    "q3_k_l": 4.2979,
    "q4_k_s": 4.6672,
    "q4_k_m": 4.8944,
    "q5_k_s": 5.5704,
    "q5_k_m": 5.7036,
    "q6_k": 6.5633,
    "q8_0": 8.5008,
}

# ggml/src/ggml-common.h: bytes of a block, and weights in it, of the types that fill every matrix of a layer.
BLOCKS = {
    "q4_0": (18, 32),
    "q4_1": (20, 32),
    "q5_0": (22, 32),
    "q5_1": (24, 32),
    "q8_0": (34, 32),
    "q3_k_s": (110, 256),
    "q5_k_s": (176, 256),
    "q6_k": (210, 256),
}


@pytest.mark.parametrize(("name", "bits"), PUBLISHED.items())
def test_a_file_of_llama_cpp_is_as_large(name, bits, formulas):
    result = formulas.evaluate(only=["memory.weights_bytes"], model="llama3.1-8b", format=name)
    assert result["memory.weights_bytes"].value == pytest.approx(bits / 8 * 8_030_261_248, rel=1e-3)


@pytest.mark.parametrize(("name", "block"), BLOCKS.items())
def test_a_weight_takes_its_share_of_a_block(name, block, formulas):
    result = formulas.evaluate(only=["params.stored_weight_bytes"], model="llama3.1-8b", format=name)
    assert result["params.stored_weight_bytes"].value == block[0] / block[1]


# Sizes in bytes of files that others made, and how near a format that suits no file to the byte comes to them.
FILES = [
    ("q4_k_xl", "qwen3.5-27b", 16.40 * 2**30, 0.011),
    ("q4_k_xl", "qwen3.5-35b-a3b", 20.81 * 2**30, 0.011),
    ("q2_k_xl", "qwen3.5-35b-a3b", 11.44 * 2**30, 0.023),
    ("q2_k_xl", "qwen3.5-27b", 2.862 / 8 * 26.9e9, 0.023),
    ("mxfp4_moe", "glm-4.7-flash", 15.79 * 2**30, 0.007),
    ("q2_k", "gpt-oss-120b", 58.27 * 2**30, 0.01),
    ("q4_k_m", "gpt-oss-120b", 58.46 * 2**30, 0.008),
    ("q8_0", "gpt-oss-120b", 59.03 * 2**30, 0.008),
    ("mlx-4bit", "llama3.1-8b", 4.52e9, 1e-3),
    ("mlx-4bit", "llama3.1-70b", 39.66e9, 1e-3),
    ("mlx-8bit", "llama3.1-8b", 8.54e9, 1e-3),
]


@pytest.mark.parametrize(("name", "model", "size", "near"), FILES)
def test_a_file_of_others_is_nearly_as_large(name, model, size, near, formulas):
    result = formulas.evaluate(only=["memory.weights_bytes"], model=model, format=name)
    assert result["memory.weights_bytes"].value == pytest.approx(size, rel=near)


def test_experts_keep_their_format_in_files_alone(formulas):
    """gpt-oss-120b-F16.gguf has 60.88 GiB; experts in 16 bits are what other engines make of `bf16`."""
    sizes = {
        engine: formulas.evaluate(only=["memory.weights_bytes"], model="gpt-oss-120b", format="bf16", engine=engine)
        for engine in ("llama.cpp", "vllm")
    }
    kept, widened = (each["memory.weights_bytes"].value for each in sizes.values())
    assert kept == pytest.approx(60.88 * 2**30, rel=0.008)
    assert widened == pytest.approx(2 * 116_829_156_672)


@pytest.mark.parametrize(("model", "size"), [("gpt-oss-20b", 12_109_566_560), ("gpt-oss-120b", 59.02 * 2**30)])
def test_files_that_keep_the_published_experts_hold_the_rest_in_eight_bits(model, size, formulas):
    """llama-bench prints 11.27 and 59.02 GiB for the files of ggml-org, which nobody asks for by a format."""
    result = formulas.evaluate(only=["memory.weights_bytes"], model=model, engine="llama.cpp")
    assert result["memory.weights_bytes"].value == pytest.approx(size, rel=0.005)


@pytest.mark.parametrize("bits", ["3.0", "4.65", "8.0"])
def test_exl2_keeps_its_promise_over_the_layers(bits, formulas):
    result = formulas.evaluate(only=["params.stored_weight_bytes"], model="llama3.1-8b", format=f"exl2-{bits}")
    assert result["params.stored_weight_bytes"].value == pytest.approx(float(bits) / 8)


def test_wider_types_make_larger_files(formulas):
    names = sorted(PUBLISHED, key=PUBLISHED.__getitem__)
    sizes = [formulas.evaluate(only=["memory.weights_bytes"], model="qwen3-8b", format=name) for name in names]
    values = [each["memory.weights_bytes"].value for each in sizes]
    assert values == sorted(values)


@pytest.mark.parametrize(("wanted", "near"), [("Q4_K_X", "q4_k_m"), ("q7_k", "q6_k"), ("gguf-q5", "q5_1")])
def test_a_type_that_does_not_exist_names_those_that_do(wanted, near, formulas):
    with pytest.raises(FormulaError) as refused:
        formulas.evaluate(only=["memory.weights_bytes"], model="llama3.1-8b", format=wanted)
    assert near in str(refused.value.diagnostics[0].help)


# The number format that says of a served model what its checkpoint does, by the model.
PUBLISHED_AS = {
    "deepseek-v3": "fp8-block128",
    "kimi-k2": "fp8-block128",
    "minimax-m2.5": "fp8-block128",
    "mistral-large-3": "fp8",
    "gpt-oss-120b": "mxfp4-a16",
    "kimi-k2-thinking": "w4a16-experts",
    "llama3-70b": "bf16",
}


@pytest.mark.parametrize(("model", "format_"), PUBLISHED_AS.items())
def test_a_model_is_served_as_published(model, format_, formulas):
    asked = ["memory.weights_bytes", "memory.kv_bytes_per_token", "inference.ttft", "inference.tpot"]
    default = formulas.evaluate(only=asked, model=model, hardware="h200-sxm", tp=8)
    named = formulas.evaluate(only=asked, model=model, hardware="h200-sxm", tp=8, format=format_)
    assert [default[each].value for each in asked] == [named[each].value for each in asked]


@pytest.mark.parametrize(
    ("model", "hardware", "tp"),
    [("deepseek-v3", "h200-sxm", 8), ("gpt-oss-120b", "h100-sxm", 1), ("kimi-k2-thinking", "h200-sxm", 8)],
)
def test_the_deployment_that_its_makers_name_fits(model, hardware, tp, formulas):
    assert formulas.evaluate(only=["memory.fits"], model=model, hardware=hardware, tp=tp)["memory.fits"].value


def test_an_accelerator_without_fp8_widens_what_was_published_and_says_so(formulas):
    result = formulas.evaluate(only=["inference.ttft"], model="deepseek-v3", hardware="a100-sxm-80gb", tp=16)
    assert [each.ok for each in result.checks if each.name == "inference.products_as_published"] == [False]
