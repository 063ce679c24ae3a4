"""A document to a live web page: its formulas in JavaScript, its records, its layout."""
