"""A library to the pages of the site: every quantity with its equation, source and readers."""
