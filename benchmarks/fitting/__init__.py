"""What a fit gives to the files that ship it: values into records, figures into examples, intervals into a record."""
