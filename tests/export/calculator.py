"""Questions on standard input to a workbook that LibreOffice holds open; runs in the Python that has its bridge.

Each line is a JSON list, a method of `Calculator` and its arguments, or `quit`; each answer is one line of JSON.
"""

import json
import sys
import time
from typing import Any

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException

ERRORS = 4
FORMULAS = 16
NOT_AVAILABLE = 32767
SCRATCH = "Scratch"
VALUES_DATES_TEXTS_FORMULAS = 1 | 2 | 4 | FORMULAS


def connected(pipe: str) -> Any:
    context = uno.getComponentContext()
    resolver = context.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", context)
    for _ in range(300):
        try:
            there = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
            return there.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", there)
        except NoConnectException:
            time.sleep(0.1)
    raise SystemExit("no answer from LibreOffice")


def option(name: str, value: Any) -> Any:
    made = PropertyValue()
    made.Name, made.Value = name, value
    return made


def grid(sheet: Any) -> Any:
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(bool(0))
    address = cursor.RangeAddress
    return sheet.getCellRangeByPosition(0, 0, address.EndColumn, address.EndRow)


class Calculator:
    def __init__(self, desktop: Any) -> None:
        self.desktop = desktop
        self.document: Any = None

    def open(self, path: str) -> bool:
        if self.document is not None:
            self.close()
        url = uno.systemPathToFileUrl(path)
        self.document = self.desktop.loadComponentFromURL(url, "_blank", 0, (option("Hidden", bool(1)),))
        return self.document is not None

    def sheet(self, title: str) -> Any:
        return self.document.Sheets.getByName(title)

    def clear(self, title: str) -> bool:
        """Take the formulas off a sheet that nothing is to be compared with, so that they are not computed again."""
        there = self.sheet(title)
        there.unprotect("")
        grid(there).clearContents(FORMULAS)
        return True

    def set(self, sheet: str, row: int, column: int, value: Any) -> bool:
        there = self.sheet(sheet)
        if there.isProtected():
            there.unprotect("")
        cell = there.getCellByPosition(column, row)
        if value is None:
            cell.String = ""
            cell.clearContents(VALUES_DATES_TEXTS_FORMULAS)
        elif isinstance(value, str):
            cell.String = value
        else:
            cell.Value = value
        return True

    def formula(self, sheet: str, row: int, column: int, text: str) -> bool:
        self.sheet(sheet).getCellByPosition(column, row).Formula = text
        return True

    def read(self, sheet: str) -> Any:
        return grid(self.sheet(sheet)).getDataArray()

    def errors(self, sheet: str, column: int | None = None) -> Any:
        """Each cell that shows an error, of one column or of all: its row, its column, the number of the error."""
        there = self.sheet(sheet)
        cells = grid(there) if column is None else self.cells(there, column)
        found = cells.queryFormulaCells(ERRORS).RangeAddresses
        # A sheet has thousands of cells that are not available, and each question takes a millisecond.
        is_known = bool(found) and not self.value(f"SUMPRODUCT(ISERR({cells.AbsoluteName}))")
        return [
            [r, c, NOT_AVAILABLE if is_known else there.getCellByPosition(c, r).getError()]
            for address in found
            for r in range(address.StartRow, address.EndRow + 1)
            for c in range(address.StartColumn, address.EndColumn + 1)
        ]

    def value(self, formula: str) -> float:
        """What a formula comes to, on a sheet of its own."""
        sheets = self.document.Sheets
        if not sheets.hasByName(SCRATCH):
            sheets.insertNewByName(SCRATCH, sheets.Count)
        cell = self.sheet(SCRATCH).getCellByPosition(0, 0)
        cell.Formula = f"={formula}"
        value: float = cell.Value
        cell.String = ""
        return value

    def cells(self, sheet: Any, column: int) -> Any:
        return sheet.getCellRangeByPosition(column, 0, column, grid(sheet).RangeAddress.EndRow)

    def column(self, sheet: str, column: int) -> Any:
        return [row[0] for row in self.cells(self.sheet(sheet), column).getDataArray()]

    def pdf(self, path: str, pages: str = "") -> bool:
        chosen = uno.Any("[]com.sun.star.beans.PropertyValue", (option("PageRange", pages),) if pages else ())
        wishes = (option("FilterName", "calc_pdf_Export"), option("FilterData", chosen))
        self.document.storeToURL(uno.systemPathToFileUrl(path), wishes)
        return True

    def save(self, path: str) -> bool:
        self.document.storeToURL(uno.systemPathToFileUrl(path), (option("FilterName", "Calc MS Excel 2007 XML"),))
        return True

    def close(self) -> bool:
        self.document.close(bool(1))
        return True


def main() -> None:
    calculator = Calculator(connected(sys.argv[1]))
    for line in sys.stdin:
        verb, *rest = json.loads(line)
        if verb == "quit":
            break
        sys.stdout.write(json.dumps(getattr(calculator, verb)(*rest)) + "\n")
        sys.stdout.flush()
    calculator.desktop.terminate()


if __name__ == "__main__":
    main()
