"""A baseline: the same lists with Django and its REST framework."""
