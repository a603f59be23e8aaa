"""Records in the forms of WordPress."""
