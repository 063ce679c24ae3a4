"""Follows shell scripts: which commands run with which words, as far as plain assignments and tests tell."""
