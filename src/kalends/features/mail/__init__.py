"""Mail: messages as rows that are written with their cause, and sent later by one process of one node."""
