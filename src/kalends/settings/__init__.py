"""What the process and the site can set: one table that parses, checks and documents every setting."""

from kalends.settings.rows import SettingError, SettingRow, option_name
from kalends.settings.site_table import CALENDAR, LOOK, SUBMISSIONS
from kalends.settings.sources import FILE_NAME, IMPORT_PASSWORD, RENAMED, current_key, load
from kalends.settings.table import TABLE, Settings, in_section, in_setup, problems

__all__ = ["CALENDAR", "FILE_NAME", "IMPORT_PASSWORD", "LOOK", "RENAMED", "SUBMISSIONS", "TABLE",
           "SettingError", "SettingRow", "Settings", "current_key", "in_section", "in_setup", "load", "option_name",
           "problems"]  # fmt: skip
