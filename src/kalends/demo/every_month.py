"""What comes round once a month, and courses of some weeks."""

from kalends.demo.happenings import Dated
from kalends.demo.rhythm import FRI, MON, SAT, SUN, THU, TUE, WED, in_week, last_of_month, monthly

EVERY_MONTH = (
    Dated(
        title="Town Council",
        rhythm=monthly(2, TUE), start="19:00", hours=2.5, venue="town-hall", categories=("town-council",),
        tags=("free", "step-free"), cost="Free", image="meet", linked=True,
        text="""<p>Open to everybody. Questions from residents are the first item, three minutes each; put your name
            on the list at the door before seven.</p><ol><li>Questions from residents</li><li>Minutes of the last
            meeting</li> <li>Reports of the committees</li><li>Motions</li></ol><p>The papers are at
            <a href="https://example.org/council">example.org/council</a> a week before. A loop for hearing aids is
            installed.</p>""",
        more={"website": "https://example.org/council"},
    ),
    Dated(
        title="Planning Committee",
        rhythm=monthly(4, TUE), start="17:30", hours=2, venue="town-hall", categories=("planning",), tags=("free",),
        cost="Free", text="Building applications of the month, with plans on the wall from five o'clock.",
        programme=(
            ("", ""), ("Cycle Path to Merrow Head", "The two variants, and what they mean for the hedges."),
            ("The Old Ropeworks", "Homes, workshops or both? The architects present their models."),
        ),
    ),
    Dated(
        title="Repair Café",
        rhythm=monthly(1, SAT), start="14:00", hours=4, venue="school", organizers=("library",),
        tags=("free", "tea-and-cake", "all-ages", "drop-in"), cost="Donation",
        text="""Toasters, trousers, toy trains: bring what is broken and stay while it is mended. Last repairs at
            half past five. <strong>No microwaves, please</strong>; Ned has said why.""",
    ),
    Dated(
        title="Flea Market on the Quay",
        rhythm=last_of_month(SUN), start="09:00", hours=6, venue="stage", categories=("markets",), image="gather",
        tags=("free", "outdoors", "harbour", "dogs"), cost="Free",
        text="""Lamps, records, oars, one piano every time. A pitch of three metres costs €10, children on blankets
            pay nothing. In heavy rain we move into the ice house.""",
    ),
    Dated(
        title="The Box in the Attic",
        rhythm=monthly(3, THU), start="19:30", hours=1.5, venue="library", organizers=("history",),
        categories=("history",), tags=("free", "step-free"), cost="Free", image="remember",
        text="""An evening of the History Society with pictures and objects to hold. Bring your own finds; we like to
            guess.""",
        programme=(
            ("How the Ice Came to the Ice House", "Before machines, it came by ship. The logbooks of three winters."),
            ("Nine Recipes and a Scandal", "The handwritten cookery book of the Old Town Hall, with tasting."),
            ("The Night the Lamp Went Out", "What the keepers of Merrow Head wrote down, and what they did not."),
            ("Women of the Ropewalk", "Wages, songs and the strike of 1911, told by a great-granddaughter."),
            ("The Map with the Wrong River", "Why a whole street is crooked."),
            ("Faces Nobody Can Name", "Sixty photographs look for their people. You may know one."),
        ),
    ),
    Dated(
        title="Beach Clean",
        rhythm=monthly(2, SUN), start="10:00", hours=2, venue="lighthouse", organizers=("sports", "garden"),
        categories=("nature",), tags=("free", "outdoors", "all-ages", "dogs", "rain-or-shine"), cost="Free",
        text="""Gloves and bags are there, and soup afterwards. Last time: 140 kilos and a message in a bottle (an
            invoice).""",
    ),
    Dated(
        title="Toddlers in the Palm House",
        rhythm=monthly(1, MON), start="10:00", hours=1.5, venue="garden", organizers=("garden",),
        categories=("family", "nature"), tags=("step-free", "all-ages"), cost="€3", image="play",
        text="Leaves to touch, puddles to visit, warm all year. Prams stay at the gate; slings and patience welcome.",
    ),
    Dated(
        title="日本映画の夕べ – Japanese Film Night",
        rhythm=monthly(4, FRI), start="19:45", hours=2.5, venue="cinema", organizers=("film",), categories=("film",),
        tags=("bilingual", "late"), cost="€9", image="watch",
        text="""<p>月に一度、字幕付きの日本映画を上映します。上映後はお茶とおしゃべりの時間があります。</p>
            <p>Once a month a
            Japanese film in the original with English subtitles, and green tea in the foyer.</p>""",
        programme=(
            ("港の灯り", "<cite>Lights of the Harbour</cite>: a ferry pilot's last season."),
            ("雨の図書館", "<cite>The Library in the Rain</cite>: three readers, one missing page."),
            ("祖母の自転車", "<cite>Grandmother's Bicycle</cite>: a road film at twelve kilometres an hour."),
        ),
    ),
    Dated(
        title="دورة الخط العربي – Arabic Calligraphy",
        rhythm=in_week(1, MON, 6), start="18:30", hours=2, venue="library", organizers=("library",), linked=True,
        categories=("courses",), tags=("beginners", "booking", "bilingual"), cost="€60 for six evenings",
        text="""<p>ست أمسيات لتعلّم أساسيات خط النسخ. الأقلام والحبر والورق متوفرة، ولا حاجة إلى معرفة اللغة
            العربية.</p> <p>Six evenings on the basics of the naskh script. Pens, ink and paper are there; you need
            not know Arabic.</p>""",
        programme=(
            ("The Pen", "Cutting a reed, and the dot by which everything is measured."), ("Alif to Khāʾ", ""),
            ("Dāl to Ghayn", ""), ("Fāʾ to Yāʾ", ""), ("Words", "Letters meet and change their shape."),
            ("Your Own Page", "A line that you choose, to take home."),
        ),
    ),
    Dated(
        title="First Aid for Everybody",
        rhythm=in_week(4, SAT, 3), start="09:00", hours=7, venue="school", organizers=("sports",),
        categories=("courses",), tags=("booking",), cost="€35",
        text="""A day with plasters, dummies and a defibrillator. Each Saturday is complete in itself. Lunch is
            included.""",
    ),
    Dated(
        title="Ports of the World",
        rhythm=monthly(3, WED), start="19:00", hours=1.25, organizers=("history",), categories=("talks",),
        tags=("free", "online"), cost="Free", zone="Atlantic/Reykjavik", image="arrive",
        text="""An hour online with somebody who lives beside another harbour. The time is the speaker's own; your
            calendar knows what that means where you are. The link is sent to everybody who registers.""",
        more={"website": "https://example.com/ports", "show_map": False, "show_map_link": False},
        programme=(
            ("Herring and Electricity", "A fishing harbour in the north that became a data centre, and back."),
            ("The Crane Drivers", "What a city looks like from forty metres, to those who sit there all day."),
        ),
    ),
)  # fmt: skip
