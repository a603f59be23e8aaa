"""The placeholders of prerendered representations: bytes that JSON cannot contain, for the addresses of a request."""

import secrets

import msgspec

from kalends.contract.kinds.events import EVENT_LINKS
from kalends.present.addresses import Addresses

# Placeholders of the site's address, of the namespace's, and of the site's name in a global id.
BASE, NAMESPACE, SITE = b"\x01", b"\x02", b"\x03"
# The placeholder of an embedded record or a count, and what separates two representations of one record.
PLACEHOLDER, SEPARATOR = b"\x00", b"\x04"
# Keys of JSON-LD that are there only with a value, those of links in their order.
ROLES = {link.kind.name: f',"{link.json_ld}":'.encode() for link in EVENT_LINKS if link.json_ld}
PROPERTIES = b',"additionalProperty":'
# The templates of events are filled in by Python's % operator, which is the fastest.
ESCAPE_PERCENT, FORMAT_FIELD = (b"%", b"%%"), b"%b"

encode = msgspec.json.encode

# The addresses while rendering: random and never shown, so that no text of a record can contain them.
RANDOM_SITE, RANDOM_NAMESPACE = secrets.token_hex(16), secrets.token_hex(16)
PLACEHOLDER_ADDRESSES = Addresses(f"http://{RANDOM_SITE}", "", RANDOM_NAMESPACE)
