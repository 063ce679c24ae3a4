"""Sets how much one text may hold; what goes beyond is refused with a message."""

MOST_DEPTH = 100
MOST_FILE_BYTES = 1_000_000
MOST_STATEMENT_CHARACTERS = 100_000
MOST_OPEN_PARENTHESES = 250
MOST_FINDINGS = 1_000
