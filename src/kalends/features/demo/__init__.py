"""A made-up town to fill an empty calendar with: its venues, its organizers and half a year of its events."""
