"""`kalends import …` and `kalends sync`."""
