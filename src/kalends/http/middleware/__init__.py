"""Work around every handler: credentials, limits, admission, logs."""
