"""A document to a live Excel workbook, and an edited workbook back to a scenario."""
