"""What happens to every request around its handler: credentials, limits, lanes, logs."""
