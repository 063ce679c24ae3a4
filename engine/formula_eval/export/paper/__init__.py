"""A document to a paper: equations in order, each with numbers put in, in LaTeX or Markdown."""
