"""A yardstick: the same lists with Django and its REST framework."""
