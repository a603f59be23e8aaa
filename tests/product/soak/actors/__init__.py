"""Who uses the service: one module for each kind of client."""
