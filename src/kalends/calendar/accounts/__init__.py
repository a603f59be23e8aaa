"""Users and their credentials, event passwords, and throttling of wrong guesses."""
