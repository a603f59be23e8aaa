"""The response cache for anonymous reads, content encodings, and the worker that prerenders records."""
