"""The front of a worker: one event loop reads requests and writes responses, and threads only compute."""
