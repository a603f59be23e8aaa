"""What HTTP is made of: parameters and bodies of requests, responses and their encodings, streams and connections."""
