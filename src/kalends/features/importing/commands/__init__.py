"""`kalends import …`."""
