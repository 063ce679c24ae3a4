"""Renders results for people and programs: the answer in a terminal, and a document in each format.

In: the result of a question, or a `Document` (the needed part of the graph with all its numbers, records and sources).
Out: text, or a file of one of the formats in `formats.py`. Which quantities head it and what it looks like is data in
reports/, whose keys `layout.py` checks; no exporter knows a quantity by name.
Read first: `document.py`, then `json_document.py`, the shortest of the formats.
"""

from typing import TYPE_CHECKING

from formula_eval.lazy_modules import modules_of

if TYPE_CHECKING:
    from formula_eval.export import (
        document as document,
        files as files,
        launch as launch,
        measurement_files as measurement_files,
        notebook as notebook,
        plan as plan,
        scaffold as scaffold,
        search_files as search_files,
    )
    from formula_eval.export.accuracy import report as report, tables as tables
    from formula_eval.export.plot import (
        answer_picture as answer_picture,
        question_pictures as question_pictures,
        sweep_picture as sweep_picture,
    )
    from formula_eval.export.plot.draw import picture_file as picture_file
    from formula_eval.export.sweep import parts as parts, row_formats as row_formats
    from formula_eval.export.terminal import (
        answer_text as answer_text,
        calibration as calibration,
        closed_form as closed_form,
        columns as columns,
        comparison as comparison,
        derivation as derivation,
        description as description,
        help_text as help_text,
        influence_table as influence_table,
        json_csv as json_csv,
        ranges as ranges,
        screen as screen,
        search_text as search_text,
        solutions as solutions,
        spread as spread,
        sweep_table as sweep_table,
    )
    from formula_eval.export.workbook import template as template

__getattr__ = modules_of(__name__)
