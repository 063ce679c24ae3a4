"""Copies the sheets that compute behind those of a user's own workbook, with the names that formulas read."""

from copy import copy
from typing import Any

from formula_eval.core.diagnostic import refuse
from formula_eval.export.workbook.outputs_sheet import OUTPUTS
from formula_eval.export.workbook.readme_sheet import README
from formula_eval.export.workbook.scenarios_sheet import SCENARIOS
from formula_eval.export.workbook.structure_sheet import STRUCTURE
from formula_eval.export.workbook.sweep_sheet import SWEEP

# What shows results is the user's own: charts would not survive the copy, and nothing reads these sheets.
_SHOWN = (README, OUTPUTS, SCENARIOS, STRUCTURE, SWEEP)


def copy_sheets(ours: Any, theirs: Any, template: str) -> None:  # noqa: ANN401 - as openpyxl's own
    """Put ours behind theirs; raises FormulaError where a sheet or a name of theirs is the same as one of ours."""
    titles = [title for title in ours.sheetnames if title not in _SHOWN]
    taken = {title.lower() for title in theirs.sheetnames}
    clash = next((title for title in titles if title.lower() in taken), None)
    if clash is not None:
        message = f"`{template}` has a sheet `{clash}`, as the sheets that compute do"
        raise refuse("bad-template", message, help="Give that sheet another name.")
    names = {name.lower() for name in theirs.defined_names}
    clash = next((name for name in ours.defined_names if name.lower() in names), None)
    if clash is not None:
        message = f"`{template}` defines a name `{clash}`, which the sheets that compute need"
        raise refuse("bad-template", message, help="Give it another name, or export with --refs cells.")
    styled: dict[int, Any] = {}
    for title in titles:
        _copy_sheet(ours[title], theirs.create_sheet(title), styled)
    for name, defined in ours.defined_names.items():
        if not any(f"{title}!" in defined.attr_text or f"'{title}'!" in defined.attr_text for title in _SHOWN):
            theirs.defined_names[name] = copy(defined)


def _copy_sheet(source: Any, target: Any, styled: dict[int, Any]) -> None:  # noqa: ANN401 - as above
    for cell in (each for row in source.iter_rows() for each in row):
        _copy_cell(cell, target, styled)
    for key, each in source.column_dimensions.items():
        target.column_dimensions[key].width = each.width
    for key, each in source.row_dimensions.items():
        target.row_dimensions[key].height = each.height
    for each in source.merged_cells.ranges:
        target.merge_cells(str(each))
    for each in source.data_validations.dataValidation:
        target.add_data_validation(copy(each))
    for ranges in source.conditional_formatting:
        for rule in ranges.rules:
            target.conditional_formatting.add(str(ranges.sqref), copy(rule))
    target.freeze_panes = source.freeze_panes
    target.sheet_view.showGridLines = source.sheet_view.showGridLines
    target.sheet_properties.tabColor = copy(source.sheet_properties.tabColor)


def _copy_cell(cell: Any, target: Any, styled: dict[int, Any]) -> None:  # noqa: ANN401 - as above
    """Copy a value and its style, which the first cell that has it, in `styled`, takes over piece by piece."""
    if cell.value is None and not cell.has_style:
        return
    at = target.cell(cell.row, cell.column, cell.value)
    if not cell.has_style:
        return
    first = styled.setdefault(cell.style_id, at)
    if first is at:
        at.font, at.fill, at.border = copy(cell.font), copy(cell.fill), copy(cell.border)
        at.alignment, at.number_format, at.protection = copy(cell.alignment), cell.number_format, copy(cell.protection)
    else:
        at._style = copy(first._style)  # noqa: SLF001 - openpyxl's own way to give a cell another's style
