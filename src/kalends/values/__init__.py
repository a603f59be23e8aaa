"""Plain values and how they are parsed and written: dates, zones, cost, names, markup. No records, no clock."""
