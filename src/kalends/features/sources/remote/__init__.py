"""What is there at a source: fetched with care, and read whatever its form is."""
