"""Text to declarations and back: the only place that knows the spelling of the language."""
