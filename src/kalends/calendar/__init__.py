"""How a calendar behaves: what can be done with events, venues, organizers, categories and tags, and by whom."""
