"""Records of a source become records of the calendar: one by one, and those of a transaction together."""
