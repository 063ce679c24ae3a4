"""How far the formulas are from measurements, as text, Markdown, CSV or JSON."""
