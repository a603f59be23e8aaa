"""What the people who run a calendar do with its records: previews, many at once, review, the trash, the way back."""
