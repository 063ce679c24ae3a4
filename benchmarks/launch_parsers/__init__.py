"""The parsers of the programs themselves, over the commands and files that are written for them."""
