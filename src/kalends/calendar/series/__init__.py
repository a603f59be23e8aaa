"""Events that repeat: a series has a rule and a template, and each of its occurrences is an event."""
