"""The nouns of the engine: frozen values that know nothing of files, grammars or notations."""
