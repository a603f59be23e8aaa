"""Users and their tokens as rows."""

from kalends.store.records import Token, User, columns, from_row, to_row
from kalends.store.sqlite import Session
from kalends.values import names

_USER = ", ".join(columns(User))
_TOKEN = ", ".join(columns(Token))


def find_user(session: Session, id: int) -> User | None:
    row = session.one(f"SELECT {_USER} FROM user WHERE id = ?", (id,))
    return None if row is None else from_row(User, row)


def find_user_by_name(session: Session, name: str) -> User | None:
    row = session.one(f"SELECT {_USER} FROM user WHERE name_key = ?", (names.fold(name),))
    return None if row is None else from_row(User, row)


def all_users(session: Session) -> list[User]:
    return [from_row(User, row) for row in session.all(f"SELECT {_USER} FROM user ORDER BY id")]


def insert_user(session: Session, user: User) -> int:
    row = to_row(user) | {"name_key": names.fold(user.name)}
    del row["id"]
    id: int = session.value(
        f"INSERT INTO user ({', '.join(row)}) VALUES ({', '.join(':' + n for n in row)}) RETURNING id", row
    )
    return id


def update_user(session: Session, user: User) -> None:
    session.run(
        "UPDATE user SET name = ?, name_key = ?, role = ?, password = ? WHERE id = ?",
        (user.name, names.fold(user.name), user.role, user.password, user.id),
    )


def find_token(session: Session, digest: bytes) -> Token | None:
    row = session.one(f"SELECT {_TOKEN} FROM token WHERE digest = ?", (digest,))
    return None if row is None else from_row(Token, row)


def tokens_of(session: Session, user: int) -> list[Token]:
    rows = session.all(f"SELECT {_TOKEN} FROM token WHERE user = ? ORDER BY id", (user,))
    return [from_row(Token, row) for row in rows]


def insert_token(session: Session, token: Token) -> int:
    row = to_row(token)
    del row["id"]
    id: int = session.value(
        f"INSERT INTO token ({', '.join(row)}) VALUES ({', '.join(':' + n for n in row)}) RETURNING id", row
    )
    return id
