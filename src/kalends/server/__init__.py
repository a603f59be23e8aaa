"""The HTTP side: routes, credentials, negotiation and headers. No rules of the calendar."""
