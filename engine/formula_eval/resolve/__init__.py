"""Declarations to graph: names, types and units, then calls, copies and order; after this nobody checks again."""
