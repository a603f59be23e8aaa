"""A second feature of the tests, which adds to the same records as the first."""

from kalends.feature import Feature

SECOND_SAMPLE = Feature(name="second_sample", shown_fields="contract:SHOWN_FIELDS", hooks="hooks:HOOKS")
