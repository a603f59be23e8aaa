"""The screens of venues, organizers, categories and tags."""
