"""The roles of people, from the least to the most rights."""

from enum import IntEnum


class Role(IntEnum):
    """Each has every right of those before it."""

    ANONYMOUS = 0
    SUBSCRIBER = 1
    CONTRIBUTOR = 2
    AUTHOR = 3
    EDITOR = 4
    ADMINISTRATOR = 5

    @property
    def word(self) -> str:
        return self.name.lower()


ROLE_WORDS = tuple(role.word for role in Role if role is not Role.ANONYMOUS)
