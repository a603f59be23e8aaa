"""Which records here those of a source stand for, and what of them is to change."""
