"""What the terminal shows: sections as data to blocks, and blocks to text, Markdown or rows."""
