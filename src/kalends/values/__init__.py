"""Plain values and how they are read and written: dates, zones, cost, names, markup. No records, no clock."""
