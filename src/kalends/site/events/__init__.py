"""An event as it is shown on any page."""
