"""What exists for clients of WordPress alone."""
