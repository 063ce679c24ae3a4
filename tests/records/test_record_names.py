"""Names as people type them to the records that they mean."""

import json
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from counted import seen
from formula_eval import FormulaError
from formula_eval.libraries import find_library
from formula_eval.records.record_files import all_records, find_record
from formula_eval.records.record_names import named, names_of, resembling

LIBRARY = find_library()
NAMES = tomllib.loads((Path(__file__).parent / "names.toml").read_text(encoding="utf-8"))
KINDS = {
    "llm_analysis_models": "model",
    "models": "model",
    "llm_analysis_hardware": "hardware",
    "hardware": "hardware",
    "formats": "format",
}
CASES = [(KINDS[part], name, found) for part, names in NAMES.items() for name, found in names.items()]


@pytest.fixture(autouse=True)
def no_hub_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))


@pytest.fixture(scope="module")
def schema(formulas):
    return formulas.evaluator.schema


@pytest.mark.parametrize(("kind", "name", "found"), CASES, ids=[f"{kind}: {name}" for kind, name, _ in CASES])
def test_found(kind, name, found, schema):
    assert find_record(LIBRARY, schema, kind, name).id == found


@pytest.mark.slow
def test_every_hub_name_of_a_model_is_found_with_and_without_its_tuning(schema):
    models = list(all_records(LIBRARY, schema.kinds["model"]))
    parts = schema.synonyms.tunings_of("model")
    tunings = ("-Instruct", "-instruct", "-Chat", "-chat", "-hf", "-it")
    for model in seen(models):
        for name in (each for each in names_of(model) if "/" in each):
            assert named(name.upper(), models).id == model.id
            assert named(name.replace("/", "_"), models).id == model.id
            bare = next((name.removesuffix(each) for each in tunings if name.endswith(each)), name)
            for wanted in (bare, f"{bare}-instruct", f"{bare}-chat", f"{bare}-hf"):
                found = named(wanted, models) or resembling(wanted, models, parts)
                assert found is not None, wanted
                assert found.id == model.id, wanted


def test_a_copy_is_told(schema):
    found = find_record(LIBRARY, schema, "model", "somebody/Llama-3.1-8B-Instruct-hf")
    assert found.id == "llama3.1-8b"
    assert "`somebody/Llama-3.1-8B-Instruct-hf` is not in the library" in found.remark
    assert not find_record(LIBRARY, schema, "model", "meta-llama/Llama-3.1-8B-Instruct").remark


@pytest.mark.parametrize("name", ["t5", "llama", "nobody/knows-it", "gpt-5", "instruct", "-", "/", "meta-llama/"])
def test_what_nothing_bears_is_unknown(name, schema):
    with pytest.raises(FormulaError):
        find_record(LIBRARY, schema, "model", name)


def hub_cache(tmp_path, name, revisions):
    repository = tmp_path / "hub" / f"models--{name.replace('/', '--')}"
    for revision, layers in revisions.items():
        snapshot = repository / "snapshots" / revision
        snapshot.mkdir(parents=True)
        config = {
            "model_type": "llama",
            "num_hidden_layers": layers,
            "hidden_size": 64,
            "num_attention_heads": 4,
            "vocab_size": 99,
        }
        (snapshot / "config.json").write_text(json.dumps({**config, "intermediate_size": 128}), encoding="utf-8")
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(next(iter(revisions)), encoding="ascii")


def test_the_cache_of_the_hub_comes_before_the_hub_and_before_what_is_called_alike(tmp_path, schema):
    hub_cache(tmp_path, "someone/llama-2-7b-hf", {"abc": 3, "def": 5})
    found = find_record(LIBRARY, schema, "model", "someone/llama-2-7b-hf")
    assert (found.id, found.data["layers"]) == ("someone/llama-2-7b-hf", 3)
    assert "is not in the library" not in found.remark


def test_a_cached_repository_without_a_config_is_none(tmp_path, schema):
    hub_cache(tmp_path, "someone/empty", {"abc": 3})
    (tmp_path / "hub/models--someone--empty/snapshots/abc/config.json").unlink()
    with pytest.raises(FormulaError, match="neither the library nor the Hugging Face cache"):
        find_record(LIBRARY, schema, "model", "someone/empty")


class Hub:
    """The package of the hub as far as it is asked here, with one repository."""

    def __init__(self, folder, offline):
        self.constants = SimpleNamespace(HF_HUB_OFFLINE=offline, ENDPOINT="https://hub.example")
        self._folder = folder

    def hf_hub_download(self, name, file):
        if name != "someone/new":
            raise FileNotFoundError(name)
        return str(self._folder / "hub/models--someone--new/snapshots/abc" / file)


@pytest.fixture
def hub(monkeypatch, tmp_path):
    hub_cache(tmp_path, "someone/new", {"abc": 3})
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "empty"))

    def installed(*, offline):
        monkeypatch.setitem(sys.modules, "huggingface_hub", Hub(tmp_path, offline))

    return installed


def test_what_is_fetched_is_said_before_it_is(hub, schema, caplog):
    hub(offline=False)
    assert find_record(LIBRARY, schema, "model", "someone/new").data["layers"] == 3
    assert caplog.messages == ["Fetching config.json of someone/new from https://hub.example."]
    with pytest.raises(FormulaError, match="The Hub gave no config"):
        find_record(LIBRARY, schema, "model", "someone/none")
    assert len(caplog.messages) == 2


def test_nothing_is_fetched_where_the_environment_forbids_it(hub, schema, caplog):
    hub(offline=True)
    with pytest.raises(FormulaError, match="the environment forbids the Hub"):
        find_record(LIBRARY, schema, "model", "someone/new")
    assert find_record(LIBRARY, schema, "model", "somebody/Llama-3.1-8B-Instruct-hf").id == "llama3.1-8b"
    assert not caplog.messages
