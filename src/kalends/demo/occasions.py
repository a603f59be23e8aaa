"""What happens once: concerts, talks in other time zones, feasts of the year, and what is not public yet."""

from kalends.demo.happenings import Dated
from kalends.demo.rhythm import FRI, MON, SAT, SUN, THU, TUE, WED, clocks_change, in_week, yearly
from kalends.demo.town import TOWN_ZONE, TWIN_ZONE

CONCERTS_AND_COMPANY = (
    Dated(
        title="Noite de Fado",
        rhythm=in_week(3, SAT), start="21:00", hours=2.5, venue="town-hall", organizers=("stage",),
        categories=("folk",), tags=("live", "late", "booking", "bilingual"), cost="€16 – €22", image="remember",
        tickets=(("Plateia", "22.00", 40), ("Balcão", "16.00", 20)), more={"featured": True},
        text="""<p>Uma voz, duas guitarras e sessenta cadeiras na cave da antiga câmara. Silêncio, que se vai cantar o
            fado.</p><p>One voice, two guitars, sixty chairs in the cellar of the Old Town Hall, and candles.
            Petiscos from the market at the break.</p>""",
    ),
    Dated(
        title="Merrow Coast Orchestra: The Unfinished Tower",
        rhythm=in_week(5, SUN), start="18:00", hours=2, venue="stage", organizers=("stage",),
        categories=("classical",), tags=("live", "step-free"), cost=["€32", "€24", "€10"], image="arrive",
        more={"featured": True},
        tickets=(("Stalls", "32.00", 180), ("Gallery", "24.00", 120), ("Under 26", "10.00", 20)),
        text="""<p>A first performance written for this hall and this tide, between two pieces that everybody can
            hum.</p><ul> <li>Introduction from the conductor at 17:15, free with a ticket</li><li>Large-print
            programmes at the desk</li><li>The bar stays open</li></ul>""",
    ),
    Dated(
        title="String Quartet among the Ferns",
        rhythm=in_week(8, SUN), start="11:00", hours=1.25, venue="garden", organizers=("garden", "stage"),
        categories=("classical", "nature"), tags=("live", "booking"), cost="€15", image="grow",
        text="""Four players, two hundred listeners, one palm house. The cello likes the humidity, the violins have
            opinions.""",
    ),
    Dated(
        title="Ice Hockey, Merrowhaven Pilots",
        rhythm=in_week(1, SAT, 5), start="19:00", hours=2.5, venue="rink", organizers=("sports",),
        categories=("skating", "sport"), tags=("live",), cost=["€11", "€5"], image="skate",
        text="Bring a scarf in blue. Seats behind the goal are cheaper for a reason.",
        programme=(
            ("Northern Owls", "First game of the series."), ("Saltport Herons", ""),
            ("Glenmara Stags", "Children with a banner they made themselves come in free."),
            ("The Ferrymen", "The derby. Please leave the horn at home, Declan."), ("Kestrel Bay", ""),
        ),
    ),
    Dated(
        title="Merrow Head Half Marathon",
        rhythm=in_week(11, SUN), start="09:00", hours=5, venue="boathouse", organizers=("sports",),
        categories=("running",), tags=("outdoors", "rain-or-shine", "booking"), cost="€28 – €40", image="run",
        more={"featured": True}, tickets=(("Half marathon", "40.00", 600), ("10 km", "28.00", 400)),
        text="""<p>Twenty-one kilometres, 340 metres of climbing and one lighthouse. Start in three
            waves:</p><ol><li>09:00 under 1:40</li><li>09:10 under 2:00</li><li>09:20 everybody else and the brass
            band</li></ol><p>Roads along the cliff are closed from 8 to 14 h.</p>""",
    ),
    Dated(
        title="Autumn, Winter, Spring, Paint",
        rhythm=in_week(2, MON), days=19, keeps_its_day=True, venue="library", organizers=("library",),
        tags=("free", "step-free"), cost="Free",
        text="Watercolours of one window in every week of a year. On the stairs, during opening hours.",
    ),
    Dated(
        title="Blood Donation",
        rhythm=in_week(7, TUE, 2), start="15:00", hours=5, venue="school", tags=("step-free",), cost="Free",
        text="Eat something first and bring an identity card. Biscuits afterwards, and our thanks.",
    ),
    Dated(
        title="Learn to Swim: Registration Day",
        rhythm=in_week(4, WED), venue="town-hall", organizers=("sports",), categories=("family",), tags=("booking",),
        text="All day at the desk on the ground floor and online. Places go by lot, not by who comes first.",
        more={"website": "https://example.net/quayside/swim"},
    ),
    Dated(
        title="Regatta for Rusty Rowers",
        rhythm=in_week(-2, SUN), start="10:00", hours=6, venue="boathouse", organizers=("rowing",),
        categories=("rowing",), tags=("outdoors", "harbour"), cost="Free", image="row",
        text="Average age of a crew: at least fifty. Cake by crews.",
    ),
    Dated(
        title="An Evening with the Ferry Crew",
        rhythm=in_week(-1, FRI), start="19:00", hours=2, venue="cafe", organizers=("cafe", "history"),
        categories=("talks",), tags=("tea-and-cake",), cost="Pay what you can",
        text="Forty years between two piers: stories, timetables and the cow of 1994.",
    ),
    Dated(
        title="Ghost Ship: A Play in the Dark",
        rhythm=in_week(9, THU, 3), start="20:00", hours=1.5, venue="stage", organizers=("stage",),
        tags=("live", "late"), cost=["€19", 12], image="shine", linked=True,
        text="""Theatre without light, for the ears. From twelve years. Latecomers cannot be let in, since nobody
            would see them.""",
    ),
)  # fmt: skip

ONLINE = tuple(
    Dated(
        title=title, rhythm=in_week(week, weekday), start=start, hours=1, zone=zone,
        organizers=("history", "library"), categories=("talks",), tags=("online", "free"), cost="Free", text=text,
        more={"website": "https://example.com/talks", "show_map": False, "show_map_link": False},
    )
    for title, week, weekday, start, zone, text in (
        ("Conversa à distância: Tiles That Tell Time", 2, TUE, "18:30", "Europe/Lisbon",
         "A restorer shows her workshop."),
        ("Salt, Fog and Archives", 5, WED, "12:00", "America/Halifax",
         "How a port on the other shore keeps paper dry."),
        ("港と暮らす – Living with a Harbour", 8, THU, "20:00", "Asia/Tokyo",
         "日本語と英語で。 In Japanese and English."),
        ("Monsoon Logbooks", 12, MON, "17:30", "Asia/Kolkata",
         "Reading the weather of 1870 from captains' handwriting."),
        ("What the Penguins Heard", 15, SAT, "10:00", "Pacific/Auckland",
         "Sound recordings from a harbour that is asleep."),
        ("The Clock on the Pier", 18, TUE, "16:00", "UTC", "Why sailors keep one time and everybody else another."),
    )
)  # fmt: skip

_VIGIL = dict[str, object](website="https://example.org/lighthouse")

CLOCK_NIGHTS = (
    Dated(
        title="The Short Night at the Lighthouse", rhythm=clocks_change(TOWN_ZONE, forward=True), start="21:00",
        hours=9, venue="lighthouse", organizers=("history",), categories=("nature",), image="shine",
        tags=("late", "booking"), cost="€9", more=_VIGIL,
        text="The clocks go forward tonight, so the watch from nine to six lasts only eight hours. Bring a blanket.",
    ),
    Dated(
        title="The Long Night at the Lighthouse", rhythm=clocks_change(TOWN_ZONE, forward=False), start="21:00",
        hours=9, venue="lighthouse", organizers=("history",), categories=("nature",), image="shine",
        tags=("late", "booking"), cost="€9", more=_VIGIL,
        text="The clocks go back tonight, so the watch from nine to six lasts ten hours. One of them happens twice.",
    ),
    Dated(
        title="Port Linnet: The Night of the Clocks", rhythm=clocks_change(TWIN_ZONE, forward=True), zone=TWIN_ZONE,
        start="22:00", hours=6, venue="wharf-hall", categories=("festivals",), image="shine", cost="Free",
        text="Our twin town dances one hour away. With a line to Merrowhaven, where it is still the afternoon.",
    ),
    Dated(
        title="Port Linnet: The Hour That Comes Twice", rhythm=clocks_change(TWIN_ZONE, forward=False),
        zone=TWIN_ZONE, start="22:00", hours=6, venue="wharf-hall", categories=("festivals",), image="shine",
        cost="Free",
        text="Our twin town dances the same hour twice, the second time with better musicians.",
    ),
)  # fmt: skip

FEASTS = tuple(
    Dated(
        title=title, rhythm=yearly(month, day), start=start, hours=hours, venue=venue, categories=("festivals",),
        tags=("free", "all-ages", "outdoors"), cost="Free", image=image, text=text, more={"featured": True},
        keeps_its_day=True,
    )
    for month, day, title, start, hours, venue, image, text in (
        (1, 1, "New Year's Swim", "12:00", 1.5, "boathouse", "arrive", "In, scream, out, soup. Fires on the beach."),
        (2, 1, "First Light Walk", "17:00", 2, "garden", "shine", "With lanterns to the snowdrops."),
        (3, 17, "Parade Day", "", 0, "square", "play",
         "Floats, bands and the school's dragon, from the quay to the square."),
        (5, 1, "May Morning", "05:30", 3, "lighthouse", "sing",
         "The choir sings the sun up from the gallery. Breakfast rolls."),
        (6, 23, "Midsummer Fires", "21:30", 4, "lighthouse", "shine",
         "Nine fires along the coast, lit from east to west."),
        (8, 15, "Blessing of the Boats", "11:00", 2, "stage", "arrive",
         "Every boat, from the trawler to the bath duck."),
        (9, 29, "Harvest Supper", "18:00", 4, "square", "gather",
         "One table of a hundred metres. Bring a dish and a chair."),
        (10, 31, "Lantern Walk", "18:00", 2, "church", "shine", "Turnips, not pumpkins; we are strict about it."),
        (12, 6, "Christmas Market Opens", "", 0, "square", "gather",
         "Three weeks of cloves and wool. The carousel turns from ten."),
        (12, 21, "Carols on the Longest Night", "19:00", 1.5, "church", "sing",
         "By candlelight, with the Anchor Choir."),
        (12, 31, "Fireworks over the Harbour", "23:30", 1.5, "stage", "shine",
         "From the breakwater, without bangs after one."),
    )
)  # fmt: skip

NOT_YET_PUBLIC = (
    Dated(
        title="Secret Supper", rhythm=in_week(4, FRI), start="19:30", hours=4, venue="boathouse",
        organizers=("cafe",), tags=("booking",), cost="€55", image="gather", more={"post_password": "oyster"},
        text="For those who were told the word. Seven courses, no menu. The address is the one you think it is.",
    ),
    Dated(
        title="Staff Outing of the Box Office", rhythm=in_week(6, TUE), start="10:00", hours=8, venue="lighthouse",
        organizers=("stage",), more={"status": "private"}, text="The office is closed. Packed lunches by Ilse.",
    ),
    Dated(
        title="Budget Retreat", rhythm=in_week(9, SAT), days=2, venue="town-hall", categories=("town-council",),
        more={"status": "private"}, text="Heads of department only. Numbers by Wednesday, please.",
    ),
    Dated(
        title="Open-Air Cinema on the Breakwater", rhythm=in_week(14, FRI), start="21:30", hours=3, venue="stage",
        organizers=("film",), categories=("film",), cost="€10", image="watch", more={"status": "draft"},
        text="Still open: the screen, the permit, the film.",
    ),
    Dated(
        title="Winter Lecture (speaker to be confirmed)", rhythm=in_week(16, THU), start="19:30", hours=1.5,
        venue="library", organizers=("history",), categories=("history",), more={"status": "draft"}, text="",
    ),
    Dated(
        title="Skate Disco", rhythm=in_week(12, FRI), start="20:00", hours=3, venue="rink", organizers=("sports",),
        categories=("skating",), tags=("late",), cost="€8", image="skate", more={"status": "pending"},
        text="With lights under the ice, if the insurance agrees.",
    ),
    Dated(
        title="Poetry Slam", rhythm=in_week(11, WED), start="20:00", hours=2, venue="cafe", organizers=("cafe",),
        categories=("talks",), cost="€5", more={"status": "pending"}, text="Three minutes each. The dog keeps time.",
    ),
    Dated(
        title="Harbour Stage: The New Season", rhythm=in_week(15, SUN), start="17:00", hours=3, venue="stage",
        organizers=("stage",), categories=("music",), cost="Free", image="arrive", published_in=9,
        more={"status": "future", "featured": True},
        text="The whole programme, played in excerpts. We announce it in good time and not a day before.",
    ),
    Dated(
        title="Volunteers' Breakfast", rhythm=in_week(7, SUN), start="09:00", hours=2, venue="boathouse",
        tags=("tea-and-cake",), more={"hide_from_listings": True}, text="For everybody in yellow. Ask for the link.",
    ),
    Dated(
        title="Kite Festival", rhythm=in_week(3, SUN), start="11:00", hours=5, venue="lighthouse",
        organizers=("sports",), categories=("family",), cost="Free", image="play", cancelled=True,
        text="Called off: the meadow is under water. The kites will keep.",
    ),
)  # fmt: skip

OCCASIONS = (*CONCERTS_AND_COMPANY, *ONLINE, *CLOCK_NIGHTS, *FEASTS, *NOT_YET_PUBLIC)
