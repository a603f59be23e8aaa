"""How changes of records are stored: with the journal, with what is rendered, what refers to them and what waits."""
