"""Where records come from: one module for each format, and one for a calendar elsewhere."""
