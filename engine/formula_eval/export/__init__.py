"""Results to documents: one file for each kind."""
