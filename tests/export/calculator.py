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
VALUES_DATES_TEXTS_FORMULAS = 1 | 2 | 4 | 16


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

    def set(self, sheet: str, row: int, column: int, value: Any) -> bool:
        there = self.document.Sheets.getByName(sheet)
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
        self.document.Sheets.getByName(sheet).getCellByPosition(column, row).Formula = text
        return True

    def read(self, sheet: str) -> Any:
        return grid(self.document.Sheets.getByName(sheet)).getDataArray()

    def errors(self, sheet: str) -> Any:
        there = self.document.Sheets.getByName(sheet)
        found = grid(there).queryFormulaCells(ERRORS)
        return [
            [r, c, there.getCellByPosition(c, r).getError()]
            for address in found.RangeAddresses
            for r in range(address.StartRow, address.EndRow + 1)
            for c in range(address.StartColumn, address.EndColumn + 1)
        ]

    def column(self, sheet: str, column: int) -> Any:
        there = grid(self.document.Sheets.getByName(sheet)).RangeAddress
        cells = self.document.Sheets.getByName(sheet).getCellRangeByPosition(column, 0, column, there.EndRow)
        return [row[0] for row in cells.getDataArray()]

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
