"""The state or province of a venue, as every format shows it."""

from kalends.store.rows.records import Venue

_WITH_STATES = ("", "us", "usa", "united states", "united states of america")


def state_or_province(record: Venue) -> str:
    """What was given as such, else whichever is filled; of both, the state in the US or nowhere."""
    if record.stateprovince:
        return record.stateprovince
    in_states = record.country.casefold() in _WITH_STATES
    first, second = (record.state, record.province) if in_states else (record.province, record.state)
    return first or second
