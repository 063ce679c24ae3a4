"""Graph and givens to numbers: records, programs and their cache, results that know where they come from."""
