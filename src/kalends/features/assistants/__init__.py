"""The calendar for assistants: the Model Context Protocol and its tools, which call the operations of `calendar/`.
The transports are `api.py` (HTTP) and `commands.py` (stdio).

Names, descriptions and messages are in English, whatever the language of the site: a language model reads them.
"""

from kalends.feature import Feature

MCP = "/mcp"

ASSISTANTS = Feature(
    name="assistants",
    protocols={
        MCP: "[Model Context Protocol]({url}): tools to find events and, with an account, to create and change them"
    },
    commands={"mcp": "commands:mcp"},
    service_hooks="service_hooks:SERVICE_HOOKS",
)
