"""Events that two sources, or a source and a person, may both have brought: found, asked about, and answered."""
