"""Why a source could not be read, in words: stored as a sentence of the catalogs with its arguments."""

import msgspec

from kalends.features.importing.records.messages import ImportMessage, from_json, in_language, to_json
from kalends.languages import translate


def stored(message: ImportMessage) -> str:
    return msgspec.json.encode(to_json(message)).decode()


def error_of(written: str, language: str = "") -> str:
    """In English, or in the language of a reader."""
    if not written:
        return ""
    message = from_json(msgspec.json.decode(written))
    return str(in_language(message, lambda sentence: translate(sentence, language))) if language else str(message)
