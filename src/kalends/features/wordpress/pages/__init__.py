"""The pages of the calendar at the addresses that a WordPress site had."""
