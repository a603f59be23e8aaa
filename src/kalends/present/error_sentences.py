"""Errors of the interface as sentences for a reader."""

from collections.abc import Mapping

from kalends import languages
from kalends.contract.errors import ApiError, FieldError

MOST_EXPLAINED = 3  # problems in the message of an error; its data has all


def whole_message(api_error: ApiError, language: str) -> str:
    """The sentence of an error with the details of its first fields, since many programs show nothing else."""
    message = message_of(api_error, language)
    problems = api_error.data.get("problems")
    if isinstance(problems, dict):
        message = " ".join([message, *list(sentences_of(problems, language).values())[:MOST_EXPLAINED]])
    if api_error.advice is not None:
        message = f"{message} {explained(api_error.advice, language)}"
    return message


def sentences_of(problems: Mapping[str, FieldError], language: str) -> dict[str, str]:
    """What is wrong with each field, by its name."""
    return {name: f"{name} {explained(invalid, language)}" for name, invalid in problems.items()}


def message_of(api_error: ApiError, language: str) -> str:
    """The sentence of an error, without the details of its fields."""
    return _sentence(api_error.error_type.message, api_error.arguments, language)


def explained(invalid: FieldError, language: str) -> str:
    """What is wrong with a field, without its name."""
    return _sentence(invalid.message, invalid.arguments, language)


def _sentence(message: str, arguments: Mapping[str, object], language: str) -> str:
    """A sentence in a language, with its arguments; one of them may be a sentence itself."""
    filled = {
        key: explained(value, language) if isinstance(value, FieldError) else value
        for key, value in arguments.items()
    }
    return languages.translate(message, language).format(**filled)
