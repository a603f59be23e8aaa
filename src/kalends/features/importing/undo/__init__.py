"""Undo of imports: what a run created and changed is noted, and taken back by history."""
