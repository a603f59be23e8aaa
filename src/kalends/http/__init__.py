"""HTTP: routes, credentials, limits, the response cache, headers. No rules of the calendar."""
