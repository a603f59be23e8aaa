"""The REST interface: handlers of the five kinds, lists, users and media; request bodies and responses."""
