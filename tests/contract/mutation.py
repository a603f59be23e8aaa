"""Damages requests at random: bytes that go, come twice, change, or are replaced by what parsers stumble over."""

import random

TOKENS = (
    b"%", b"%00", b"%FF", b"%ED%A0%80", b"\x00", b"\xff", b"&", b"=", b"[]", b"[0]", b"[", b"]", b"{", b"}", b'"',
    b",", b"null", b"-1", b"1e400", b"99999999999999999999", b"NaN", b"\\ud800", b"\xcc\x80" * 40, b"9999-12-31",
    b"0001-01-01", b"\r\n", b"--", b"<b>", b"&#0;", b"trash", b"true", b"[[[[[[", b"%25", b"+", b";", b"a" * 3000,
)  # fmt: skip


def damage(data: bytes, choose: random.Random) -> bytes:
    """The bytes with up to three changes."""
    for _ in range(choose.randint(0, 3)):
        at = choose.randint(0, len(data))
        end = min(len(data), at + choose.choice((1, 2, 5, 30)))
        match choose.randrange(4):
            case 0:
                data = data[:at] + data[end:]
            case 1:
                data = data[:end] + data[at:]
            case 2:
                data = data[:at] + choose.choice(TOKENS) + data[at:]
            case _:
                data = data[:at] + bytes(choose.randrange(256) for _ in range(end - at)) + data[end:]
    return data
