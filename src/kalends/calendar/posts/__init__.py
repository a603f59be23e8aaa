"""Create, read, update and delete: events, venues, organizers, categories and tags."""
