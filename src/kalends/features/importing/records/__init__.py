"""What every source yields: records of one shape, definitions of custom fields, and sentences about them."""
