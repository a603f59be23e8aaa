"""What Merrowhaven does every week, and every other."""

from kalends.demo.happenings import Dated
from kalends.demo.rhythm import FRI, MON, SAT, SUN, THU, TUE, WED, every_other, weekly

EVERY_WEEK = (
    Dated(
        title="Saturday Market",
        rhythm=weekly(SAT), start="08:00", hours=5, venue="square", categories=("markets",), image="gather",
        tags=("free", "outdoors", "dogs", "rain-or-shine"), cost="Free", linked=True,
        text="""<p>Thirty-four stalls around the fountain: vegetables from the Merrow valley, bread from two bakers
            who do not speak to each other, fish from the boats that came in at five.</p>
            <ul><li>Bring your own bag, or borrow one at the town's stall</li><li>Knife sharpening at the north
            corner</li> <li>Cars out of the square before seven, please</li></ul>""",
        programme=(
            ("", ""), ("", "This week with the beekeepers of Hill Road and their first honey to taste."),
            ("Swap a Plant", "Bring a plant, take a plant. The garden society has pots for those who come without."),
            ("", "The scouts sell soup. It is better than it looks."), ("", ""),
            ("Cheese Day", "Seven dairies of the coast at one long table. Tasting boards from eleven o'clock."),
        ),
    ),
    Dated(
        title="Story Hour",
        rhythm=weekly(WED), start="15:30", hours=0.75, venue="library", organizers=("library",),
        categories=("family",), tags=("free", "step-free", "all-ages", "drop-in"), cost="Free", image="read",
        pauses=0.08,
        text="""For children from four to eight and everybody they bring along. Second floor, on the green carpet. No
            booking; when the carpet is full there are laps.""",
        programme=(
            ("The Whale Who Lost Its Song", "A picture book about a long way home, with humming."),
            ("Seven Buttons", "A story about a coat that was cut up and became everything else."),
            ("The Lighthouse Keeper's Goat", "Who ate the logbook? Afterwards we draw the culprit."),
            ("Night Bus to the Moon", "Bring pyjamas if you like."),
            ("The Boy Who Folded Boats", "We fold forty of them and sail them in the fountain."),
            ("Grandmother Storm", "A loud book. Drums are provided."),
        ),
    ),
    Dated(
        title="Quayside Tuesday Run",
        rhythm=weekly(TUE), start="18:30", hours=1.25, venue="boathouse", organizers=("sports",),
        categories=("running",), tags=("free", "outdoors", "beginners", "rain-or-shine"), cost="Free", image="run",
        text="""<p>We meet at the boathouse and run in three groups:</p><ol><li>5 km along the quay, nobody is left
            behind</li><li>8 km to the mill and back</li><li>11 km over Merrow Head, with head torches when it is
            dark</li></ol><p>Showers and tea afterwards.</p>""",
    ),
    Dated(
        title="Anchor Choir: Open Rehearsal",
        rhythm=weekly(THU), start="19:30", hours=2, venue="church", organizers=("choir",), categories=("choir",),
        tags=("beginners", "tea-and-cake"), cost="Donation", image="sing", pauses=0.1,
        text="""Come in, take a score, sit with the voice you think you are. Nobody sings alone before the third
            week. The break, with tea, is at half past eight and is taken seriously.""",
    ),
    Dated(
        title="Film Club",
        rhythm=weekly(THU), start="20:15", hours=2.25, venue="cinema", organizers=("film",), categories=("film",),
        tags=("late",), cost=["€9", "€6"], image="watch",
        text="""Every Thursday one film that you will not see elsewhere, with a short introduction and a long
            conversation in the foyer. <em>€6 for members and everybody under 26.</em>""",
        programme=(
            ("Salt Road",
             "Two brothers, one lorry, and four hundred kilometres of desert. In Hassaniya with subtitles."),
            ("The Inventory", "A museum guard counts what is missing. A quiet thriller in long takes."),
            ("Low Sun", "A summer on a fish farm, shot on 16 mm film over nine years."),
            ("Everybody's Aunt", "The comedy of the year in its home country, and of Thursday in ours."),
            ("Winter Timetable", "The last guesthouse on a railway line that is about to close."),
            ("Her Second Handwriting", "A letter writer in a harbour town falls for a reply. Black and white."),
            ("Kite Weather", "A documentary about a roof, a teacher, and eleven children who look up."),
            ("The Understudy's Sister", "Backstage in one night, one corridor, one take."),
            ("North of the Orchard", "A family sells a farm and keeps a tree."),
            ("Two Tickets to the End of the Line", "A road film without a road. Restored print."),
            ("The Beekeeper's Alibi", "A crime novel comes to the screen and stings."),
            ("Sundays in the Silo", "Teenagers, a brass band and a grain silo with perfect reverb."),
            ("Blue Hour, Green Hour", "Short films from nine islands, each made in a single evening."),
            ("The Weight of a Letter", "The postal strike of 1970, told by the letters."),
            ("Mother Tongue, Father Land", "A documentary in three languages and one kitchen."),
            ("Half a House", "A divorce comedy with a saw. Silent, with live piano."),
            ("The Glassblower's Lungs", "Heat, breath, and a workshop that has four winters left."),
            ("Whatever Floats", "Shot here, by us: the film of last year's bathtub race."),
        ),
    ),
    Dated(
        title="Chess and Chocolate",
        rhythm=every_other(MON), start="17:00", hours=3, venue="cafe", organizers=("cafe",),
        tags=("free", "drop-in", "beginners", "dogs"), cost="Free",
        text="Twelve boards, one clock that works, hot chocolate. Beginners play on the table beside the stove.",
    ),
    Dated(
        title="Language Café",
        rhythm=weekly(WED), start="18:00", hours=1.5, venue="cafe", organizers=("cafe", "library"),
        categories=("courses",), tags=("free", "bilingual", "drop-in"), cost="Pay what you can", pauses=0.05,
        text="""Tables for English, Portuguese, Ukrainian, Arabic and Irish, and one for whatever you bring. Half an
            hour in one language, then we change seats. A small flag on the table says where you are.""",
    ),
    Dated(
        title="Family Skate",
        rhythm=every_other(SUN), start="14:00", hours=2, venue="rink", organizers=("sports",),
        categories=("skating", "family"), tags=("all-ages", "step-free"), cost=["Free", "€4", "€7"], image="skate",
        text="""Music, penguins to hold on to, and a corner of ice without hockey players. Children under six free,
            up to sixteen €4, others €7; skate hire €3.""",
    ),
    Dated(
        title="Morning Yoga in the Palm House",
        rhythm=every_other(SAT, 1), start="08:30", hours=1, venue="garden", organizers=("garden",),
        categories=("nature",), tags=("beginners", "booking"), cost="€8", image="grow", pauses=0.05,
        text="""Among the tree ferns, before the doors open to the public. Mats are there. It is 24 degrees inside
            whatever it is outside; dress like an onion.""",
    ),
    Dated(
        title="Jazz at the Boathouse",
        rhythm=every_other(FRI), start="20:30", hours=2.5, venue="boathouse", organizers=("stage", "rowing"),
        categories=("jazz",), tags=("live", "late", "harbour"), cost="€12 – €18", image="listen",
        text="""<p>Two sets with a break on the terrace. Doors at half past seven; the bar takes cards, the hat at
            the end takes everything.</p><blockquote>“The only club where the bass player has to wait for the
            ferry.”</blockquote>""",
        programme=(
            ("The Low Tide Trio", "Piano, bass and a drummer who trained as a watchmaker."),
            ("Marisol Venn Quartet", "Ballads from the new record, <cite>Letters to a Breakwater</cite>."),
            ("Brass Weather", "Nine horns. Sit at the back if you wear glasses."),
            ("An Evening of Slow Blues", "The house band and whoever walks in with a case."),
            ("Oke Lindqvar Solo", "One saxophone, one loop machine, one hour without a break."),
            ("The Second-Hand Swing", "Bring shoes for dancing; the tables go to the wall at ten."),
        ),
    ),
    Dated(
        title="Learn to Row",
        rhythm=every_other(SUN, 1), start="09:30", hours=2, venue="boathouse", organizers=("rowing",),
        categories=("rowing", "courses"), tags=("outdoors", "beginners", "booking"), cost="€15", image="row",
        text="""Wide boats, warm instructors. From twelve years; you must be able to swim 200 metres. Bring a second
            pair of socks. Book by e-mail at <a href="mailto:rowing@example.org">rowing@example.org</a>.""",
        more={"website": "https://example.org/rowing/learn"},
    ),
    Dated(
        title="Half an Hour of Organ",
        rhythm=every_other(WED, 1), start="12:30", hours=0.5, venue="church", organizers=("choir",),
        categories=("organ",), tags=("free", "step-free"), cost="Donation", image="sing",
        text="A lunch break with 2,140 pipes. Sandwiches are allowed in the side aisle, applause at the end only.",
        programme=(
            ("Dances", "Music that was never meant for a church, and suits it."),
            ("Fugues for Beginners", "With a sheet of paper that shows where the theme is hiding."),
            ("The Sea, the Sea", "Storms, calms and one shipwreck."),
            ("Requests", "Put a note into the box by the door."),
        ),
    ),
    Dated(
        title="Sunday Session",
        rhythm=every_other(SUN, 1), start="17:00", hours=3, venue="cafe", organizers=("cafe",), categories=("folk",),
        tags=("free", "live", "drop-in", "dogs"), cost="Free", image="listen",
        text="""Fiddles, flutes, a concertina and the dog. Players sit in the ring, listeners around it, singers near
            the door.""",
    ),
    Dated(
        title="Life Drawing",
        rhythm=every_other(TUE), start="19:00", hours=2.5, venue="town-hall", categories=("courses",),
        tags=("beginners",), cost="€10 incl. paper",
        text="""In the vaulted cellar, with easels and a stove. Poses from one minute to forty; no teaching, much
            looking.""",
    ),
)  # fmt: skip
