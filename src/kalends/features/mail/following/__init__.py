"""Following by mail without an account: what is followed, what its followers hear, and the pages for it."""
