"""The categories and tags by which people say that an event takes place online."""

ONLINE_SLUGS = ("online", "virtual", "livestream", "webinar")
