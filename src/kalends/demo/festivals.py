"""Festivals: some days each, with a programme whose parts belong to them."""

from kalends.demo.happenings import Dated, Part
from kalends.demo.rhythm import FRI, SAT, THU, in_week

FESTIVALS = (
    Dated(
        title="Harbour Days",
        rhythm=in_week(6, THU), days=4, venue="stage", organizers=("town", "stage"), categories=("festivals",),
        tags=("outdoors", "harbour", "all-ages"), cost="Free", image="arrive",
        more={"featured": True, "sticky": True, "website": "https://example.org/harbour-days"},
        text="""<p>Four days on and beside the water: tall ships to climb aboard, music until late, and the great
            race of home-made boats on Sunday.</p><h3>Good to know</h3><ul><li>North Quay is closed to cars from
            Thursday noon</li> <li>The shuttle runs every fifteen minutes from the Park and Ride on Mill
            Lane</li><li>Free water at the blue taps; bring a cup</li></ul><p>Volunteers wear yellow. They know
            everything, except where your children are.</p>""",
        parts=(
            Part(day=1, title="Opening with Ships' Horns", start="18:00", hours=1, venue="stage",
                 tags=("free", "harbour"), cost="Free", image="arrive",
                 text="All horns at once, for one minute. Cover small ears."),
            Part(day=2, title="Open Decks", start="10:00", hours=8, venue="stage", categories=("family",),
                 image="arrive", tags=("free", "all-ages"), cost="Free",
                 text="Five tall ships take visitors. Flat shoes, no queue jumping."),
            Part(day=2, title="Brass Weather on the Quay", start="21:00", hours=2.5, venue="stage",
                 categories=("jazz",), tags=("live", "late"), cost="€14", image="listen",
                 text="Nine horns against the wind.", more={"featured": True}),
            Part(day=3, title="Fish Soup for a Thousand", start="12:00", hours=2, venue="square",
                 categories=("markets",), tags=("rain-or-shine",), cost="€6",
                 text="One pot, forty cooks, a thousand bowls. Vegetarian pot on the left."),
            Part(day=3, title="Night Row with Lanterns", start="22:00", hours=3, venue="boathouse",
                 organizers=("rowing",), categories=("rowing",), tags=("harbour", "late"), image="row",
                 text="Sixty boats, one light each. Best seen from the bridge.", more={"featured": True}),
            Part(day=4, title="The Great Bathtub Race", start="14:00", hours=2.5, venue="stage", image="row",
                 categories=("family", "sport"), tags=("free", "all-ages"), cost="Free",
                 text="Anything that floats and was not built as a boat. The judges can be bribed with cake."),
        ),
    ),
    Dated(
        title="Festival of Small Voices",
        rhythm=in_week(13, FRI), days=3, venue="church", organizers=("choir", "stage"),
        categories=("festivals", "choir"), tags=("live", "booking"), cost="€8 – €45", image="sing",
        more={"featured": True, "website": "https://example.com/small-voices"},
        tickets=(("Weekend pass", "45.00", 200), ("Single concert", "18.00", 320), ("Under 26", "8.00", 80)),
        text="""<p>Chamber choirs from seven countries, none larger than sixteen. Concerts in the church, workshops
            in the school, and on Sunday everybody sings on the steps.</p><blockquote>“It is the silence between them
            that you travel for.”</blockquote>""",
        parts=(
            Part(day=1, title="Small Voices: Opening Concert", start="19:30", hours=2, venue="church", cost="€18",
                 organizers=("choir",), categories=("choir",), tags=("live",), image="sing",
                 text="Three choirs, three centuries, one long echo."),
            Part(day=2, title="Small Voices: Workshop for Everybody", start="10:00", hours=3, venue="school",
                 organizers=("choir",), categories=("choir", "courses"), tags=("beginners",), cost="€8",
                 text="A round in the morning, four parts by noon."),
            Part(day=3, title="Small Voices: Singing on the Steps", start="15:00", hours=1, venue="church",
                 cost="Free", organizers=("choir",), categories=("choir",), tags=("free", "outdoors"), image="sing",
                 text="Everybody. Umbrellas count as choir robes."),
        ),
    ),
    Dated(
        title="Book Week",
        rhythm=in_week(17, SAT), days=8, venue="library", organizers=("library", "cafe"),
        categories=("festivals", "talks"), tags=("all-ages", "step-free"), cost="Free", image="read",
        text="""Eight days of readings in unlikely places: the ferry, the barber's chair, the ice rink. The library's
            fines are forgiven for the whole week; bring back what you have been hiding.""",
        parts=(
            Part(day=1, title="The Long Read", start="18:00", hours=15, days=1, venue="library",
                 organizers=("library",), categories=("talks",), tags=("late", "drop-in"), cost="Free", image="read",
                 text="""One novel aloud from dusk till breakfast, ten minutes a reader. Sign up for your ten
                     minutes."""),
            Part(day=4, title="Poems on Ice", start="19:00", hours=1.5, venue="rink", organizers=("cafe", "sports"),
                 categories=("talks", "skating"), tags=("booking",), cost="€5", image="skate",
                 text="""Poets on skates, an audience in blankets. Haiku while standing, sonnets only for the
                     experienced."""),
            Part(day=8, title="Book Swap Breakfast", start="09:30", hours=3, venue="cafe", organizers=("cafe",),
                 tags=("tea-and-cake", "dogs"), cost="€7.50", text="Bring three, take three, eat two."),
        ),
    ),
    Dated(
        title="Twin Towns Weekend in Port Linnet",
        rhythm=in_week(10, SAT), days=2, venue="wharf-hall", organizers=("town",), categories=("festivals",),
        tags=("bilingual",), zone="Pacific/Auckland", cost="NZ$15", image="play",
        text="""Our twin town on the other side of the world celebrates, and thirty of us will be there. Follow the
            opening and the tug of war from the screen in the Old Town Hall at a quite impossible hour.""",
    ),
    Dated(
        title="Weekend of the Open Gardens",
        rhythm=in_week(-3, SAT), days=2, venue="garden", organizers=("garden",), categories=("nature",),
        tags=("outdoors", "all-ages"), cost="€5", image="grow",
        text="""Forty private gardens open their gates, from the vicarage to the balcony on the sixth floor. The map
            is your ticket; it is sold at the Botanical Garden.""",
    ),
)  # fmt: skip
