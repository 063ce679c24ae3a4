"""Boards: what a data sheet cannot say, whoever copied it."""

import pytest

from counted import seen
from formula_eval.libraries import find_library
from formula_eval.records import record_files
from formula_eval.records.record_values import read_record

LIBRARY = find_library()
WIDTHS = ("peak_32", "peak_16", "peak_8", "peak_4")


@pytest.fixture(scope="module")
def boards(formulas):
    schema = formulas.evaluator.schema
    records = record_files.all_records(LIBRARY, schema.kinds["hardware"])
    return {record.id: (record.data, read_record(record, schema).values) for record in records}


def test_narrower_numbers_are_no_slower(boards):
    for name, (_, values) in seen(boards.items()):
        rates = [values[width] for width in WIDTHS if values.get(width)]
        assert rates == sorted(rates), name


def test_every_board_says_how_much_of_its_sheet_is_reached(boards, formulas):
    families = {each.id for each in record_files.all_records(LIBRARY, formulas.evaluator.schema.kinds["family"])}
    for name, (data, _) in seen(boards.items()):
        assert data["family"] in families, name
        assert {"name", "source", "date", "note"} <= set(data), name


def test_a_card_in_a_slot_is_no_faster_than_the_slot(boards):
    slots = {"PCIe 3 x16": 16e9, "PCIe 4 x16": 32e9, "PCIe 5 x16": 64e9}
    for name, (data, values) in seen(boards.items()):
        for slot, rate in slots.items():
            if f"the link is {slot}" in data["note"].lower().replace("pcie", "PCIe"):
                assert values["link_bandwidth"] == rate, name
                assert values.get("host_bandwidth", 0) <= rate, name


def test_memory_is_as_the_driver_prints_it(boards):
    printed = {"rtx-4090": 24_564, "rtx-5090": 32_607, "h100-sxm": 81_559, "h200-sxm": 143_771, "b200-sxm": 183_359}
    for name, mebibytes in seen(printed.items()):
        assert boards[name][1]["memory_capacity"] == mebibytes * 2**20


def test_shared_memory_is_counted_once(boards):
    shared = [name for name, (data, _) in boards.items() if "share" in data["note"] and "the memory" in data["note"]]
    assert {"gb10", "mi300a", "apple-m4-max"} <= set(shared)
    for name in shared:
        assert boards[name][1]["host_memory"] == 0, name
