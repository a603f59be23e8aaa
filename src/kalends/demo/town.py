"""Merrowhaven: its places and the people who make things happen. Every row is the body of a request."""

Body = dict[str, object]

TOWN_ZONE = "Europe/Dublin"
# The settings of the site, as its owner would write them in the admin.
SITE: dict[str, str] = {
    "site_name": "Merrowhaven",
    "site_description": "What is on between the harbour and the hill",
    "timezone": TOWN_ZONE,
    "language": "en",
    "country": "IE",
    "currency_code": "EUR",
    "currency_symbol": "€",
    "currency_position": "prefix",
    "week_start": "monday",
    "hour_format": "24",
    "accent_color": "#0f6d7c",
    "quick_choices": "today\nweekend\nweek\nfree\nonline\nAll ages",
    "header_links": "Town hall https://example.org/town-hall\nLibrary https://example.org/library",
    "footer_text": "Merrowhaven is an invented town on an invented coast. Its calendar is a demonstration.",
    "legal_links": "Accessibility https://example.org/accessibility\nPrivacy https://example.org/privacy",
}

TWIN_ZONE = "Pacific/Auckland"  # Port Linnet, the twin town

_IN_TOWN: Body = {"city": "Merrowhaven", "stateprovince": "Merrow Coast", "country": "Ireland"}

VENUES: dict[str, Body] = {
    "library": _IN_TOWN | {
        "venue": "Merrowhaven Library", "address": "4 Lanyard Street", "zip": "P00 L104",
        "geo_lat": 51.83092, "geo_lng": -8.01487, "phone": "+353 20 910 1104",
        "website": "https://example.org/library", "image": "read",
        "description": """Three floors, forty thousand books and a reading room with a view of the boats. Step-free
            from Lanyard Street; the lift goes to the children's library on the second floor.""",
    },
    "town-hall": _IN_TOWN | {
        "venue": "Old Town Hall", "address": "1 Market Square", "zip": "P00 A001",
        "geo_lat": 51.83021, "geo_lng": -8.01395, "phone": "+353 20 910 1001",
        "website": "https://example.org/town-hall", "image": "meet",
        "description": """Built in 1788 by the sailmakers and never quite finished, which is why the tower has a
            clock on three sides. The council chamber seats ninety, the vaulted cellar sixty.""",
    },
    "stage": _IN_TOWN | {
        "venue": "Harbour Stage", "address": "North Quay", "zip": "P00 Q212",
        "geo_lat": 51.82874, "geo_lng": -8.01102, "phone": "+353 20 910 1212",
        "website": "https://example.org/harbour-stage", "image": "arrive",
        "description": """An old ice house with a glass wall towards the water. 320 seats indoors, 600 on the quay in
            good weather. <strong>The bar opens an hour before every performance.</strong>""",
    },
    "cinema": _IN_TOWN | {
        "venue": "The Lantern Cinema", "address": "17 Ropewalk", "zip": "P00 R017",
        "geo_lat": 51.83147, "geo_lng": -8.01266, "phone": "+353 20 910 1017",
        "website": "https://example.net/lantern", "image": "watch",
        "description": "One screen, 148 red seats, and a projectionist who still bows. Run by volunteers since 1971.",
    },
    "square": _IN_TOWN | {
        "venue": "Market Square", "address": "Market Square", "zip": "P00 A000",
        "geo_lat": 51.83003, "geo_lng": -8.01421, "image": "gather",
        "description": "The middle of the town in every sense. No cars on Saturdays until two o'clock.",
    },
    "boathouse": _IN_TOWN | {
        "venue": "Rowing Club Boathouse", "address": "Slipway Lane", "zip": "P00 S003",
        "geo_lat": 51.82711, "geo_lng": -8.00894, "phone": "+353 20 910 1303",
        "website": "https://example.org/rowing", "image": "row",
        "description": "Boats below, a wooden hall above, and a terrace that catches the last of the sun.",
    },
    "garden": _IN_TOWN | {
        "venue": "Botanical Garden", "address": "22 Hill Road", "zip": "P00 H022",
        "geo_lat": 51.83456, "geo_lng": -8.01833, "phone": "+353 20 910 1422",
        "website": "https://example.org/garden", "image": "grow",
        "description": """Nine hectares of what sailors brought home, and a palm house that is warm in every month.
            The gate on Hill Road is step-free; the one on Mill Lane has eleven steps.""",
    },
    "school": _IN_TOWN | {
        "venue": "Lifeboat Road School Hall", "address": "60 Lifeboat Road", "zip": "P00 L060",
        "geo_lat": 51.83388, "geo_lng": -8.00713,
        "description": """The hall of the primary school. Please use the side door and leave bicycles by the lime
            trees.""",
    },
    "church": _IN_TOWN | {
        "venue": "Church of the Anchor", "address": "Chapel Steps", "zip": "P00 C002",
        "geo_lat": 51.83176, "geo_lng": -8.01702, "website": "https://example.com/anchor-church", "image": "sing",
        "description": """Known for an acoustic that forgives, an organ that does not, and a model ship hanging in
            the nave for every boat that came home.""",
    },
    "cafe": _IN_TOWN | {
        "venue": "The Dog-Eared Page", "address": "9 Ropewalk", "zip": "P00 R009",
        "geo_lat": 51.83118, "geo_lng": -8.01301, "phone": "+353 20 910 1009",
        "website": "https://example.com/dog-eared-page",
        "description": "Second-hand books in front, coffee in the middle, a small stage and a large dog at the back.",
    },
    "rink": _IN_TOWN | {
        "venue": "Northlight Ice Rink", "address": "3 Breakwater Road", "zip": "P00 B003",
        "geo_lat": 51.83602, "geo_lng": -8.00421, "phone": "+353 20 910 1703",
        "website": "https://example.net/northlight", "image": "skate",
        "description": "Ice all year round. Skates from size 24 to 49 can be hired at the desk; gloves are required.",
    },
    "lighthouse": _IN_TOWN | {
        "venue": "Merrow Head Lighthouse", "address": "Cliff Path", "geo_lat": 51.82305, "geo_lng": -7.99528,
        "image": "shine", "show_map_link": True,
        "description": """A forty-minute walk along the cliffs, and 141 steps to the gallery. There is no road for
            cars; the shuttle from North Quay runs for events.""",
    },
    "wharf-hall": {
        "venue": "Wharf Hall", "address": "2 Old Wharf Road", "city": "Port Linnet", "stateprovince": "Tasman Coast",
        "country": "New Zealand", "geo_lat": -41.18263, "geo_lng": 173.42871,
        "website": "https://example.net/wharf-hall",
        "description": """The hall of our twin town, eleven or twelve or thirteen hours ahead of us and always one
            tide behind.""",
    },
}  # fmt: skip

ORGANIZERS: dict[str, Body] = {
    "town": {
        "organizer": "Town of Merrowhaven", "email": "events@example.org", "phone": "+353 20 910 1000",
        "website": "https://example.org/town", "image": "town-mark",
        "description": """The events office of the town, on the ground floor of the Old Town Hall. Come in, the door
            sticks.""",
    },
    "library": {
        "organizer": "Friends of the Library", "email": "library@example.org", "phone": "+353 20 910 1104",
        "website": "https://example.org/library", "image": "library-mark",
        "description": "We read aloud, mend what can be mended, and ask for silence only on Sundays.",
    },
    "stage": {
        "organizer": "Harbour Stage Trust", "email": "box-office@example.org", "phone": "+353 20 910 1212",
        "website": "https://example.org/harbour-stage", "image": "stage-mark",
        "description": """Concerts, theatre and the summer on the quay. The box office is open from Tuesday to
            Saturday, 14–18 h.""",
    },
    "film": {
        "organizer": "Lantern Film Society", "email": "hello@example.net", "website": "https://example.net/lantern",
        "description": "Twenty-six volunteers and one screen.",
    },
    "choir": {
        "organizer": "Anchor Choir", "email": "choir@example.com", "website": "https://example.com/anchor-choir",
        "image": "choir-mark",
        "description": """Seventy voices between fourteen and eighty-eight. No audition; come three times and you
            belong.""",
    },
    "rowing": {
        "organizer": "Merrow Rowing Club", "email": "rowing@example.org", "phone": "+353 20 910 1303",
        "website": "https://example.org/rowing", "image": "rowing-mark",
        "description": "Founded in 1893 after a bet that nobody remembers losing.",
    },
    "sports": {
        "organizer": "Quayside Sports Union", "email": "sport@example.net", "website": "https://example.net/quayside",
        "description": "Running, skating, swimming: everything that makes you hungry.",
    },
    "garden": {
        "organizer": "Botanical Garden Society", "email": "garden@example.org", "phone": "+353 20 910 1422",
        "website": "https://example.org/garden", "image": "garden-mark",
        "description": "Gardeners, guides and the people who water the palm house on public holidays.",
    },
    "history": {
        "organizer": "Merrow Coast History Society", "email": "archive@example.com",
        "website": "https://example.com/history",
        "description": """We keep the town's photographs, logbooks and recipes. If you find a box in the attic,
            <em>please call before you throw it away</em>.""",
    },
    "cafe": {
        "organizer": "The Dog-Eared Page", "email": "page@example.com", "phone": "+353 20 910 1009",
        "website": "https://example.com/dog-eared-page",
        "description": "Books, coffee, chess and the occasional fiddle.",
    },
}  # fmt: skip

# slug: (name, slug of the parent, description); a parent stands before its children
CATEGORIES: dict[str, tuple[str, str, str]] = {
    "music": ("Music", "", "Everything with an audience and an instrument, or a voice."),
    "jazz": ("Jazz", "music", "Fridays, mostly."),
    "classical": ("Classical", "music", "From the string quartet to the full orchestra."),
    "organ": ("Organ", "classical", "The organ of the Church of the Anchor and its guests."),
    "choir": ("Choir", "music", "To listen to and to join in."),
    "folk": ("Folk and traditional", "music", "Sessions, ballads, fado."),
    "family": ("Family", "", "For children and those who come with them."),
    "sport": ("Sport", "", "To take part in and to watch."),
    "running": ("Running", "sport", ""),
    "rowing": ("Rowing", "sport", ""),
    "skating": ("Skating", "sport", "On the ice of the Northlight."),
    "markets": ("Markets", "", "What the coast grows, bakes, catches and no longer needs."),
    "talks": ("Talks", "", "Lectures, readings and conversations."),
    "history": ("Local history", "talks", ""),
    "film": ("Film", "", "At the Lantern and elsewhere."),
    "courses": ("Courses", "", "Learn something by doing it."),
    "nature": ("Nature and garden", "", ""),
    "festivals": ("Festivals", "", "When the town does not sleep much."),
    "town-council": ("Town council", "", "Meetings that are open to everybody."),
    "planning": ("Planning", "town-council", "What is to be built, and where."),
}

# Of the categories at the top; those below have the colour of theirs.
COLOURS: dict[str, str] = {
    "music": "#7b3fa0", "family": "#c2691b", "sport": "#1f7a4d", "markets": "#a33b2a", "talks": "#2f5fb3",
    "film": "#4a4458", "courses": "#8a6d00", "nature": "#4f7d1f", "festivals": "#c0356b", "town-council": "#56616b",
}  # fmt: skip

TAGS: dict[str, str] = {
    "free": "Free entry", "outdoors": "Outdoors", "step-free": "Step-free", "all-ages": "All ages",
    "beginners": "Beginners welcome", "booking": "Booking needed", "live": "Live on stage",
    "harbour": "Around the harbour",
    "tea-and-cake": "Tea and cake", "late": "Late night", "bilingual": "Bilingual", "dogs": "Dogs welcome",
    "rain-or-shine": "Rain or shine", "online": "Online", "drop-in": "Drop in",
}  # fmt: skip
