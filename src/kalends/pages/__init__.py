"""What people read in a browser: pages made from templates, and the files they need."""
