"""The calendar for assistants: the Model Context Protocol and its tools, which call the operations of `calendar/`.
The transports are `features/assistants/api.py` (HTTP) and `features/assistants/commands.py` (stdio).

Names, descriptions and messages are in English, whatever the language of the site: a language model reads them.
"""
