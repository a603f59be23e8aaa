"""Work around every handler: credentials, limits, lanes, logs."""
