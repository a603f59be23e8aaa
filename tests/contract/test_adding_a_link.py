"""A relation is a kind of records and a row of the table of events: *speakers* are added to a copy of the sources, in
seven modules, and are everywhere."""

import re
from pathlib import Path

from tests.feature_parts import FOLDER
from tests.source_copies import SOURCE, copy_sources, run_tests

# Those of features too: what is new is there as well.
CHECKS = [Path(__file__).with_name("new_link.py"), *sorted(FOLDER.glob("*/new_link.py"))]
MOST_CHANGED = 12  # modules, schema files and templates among them

# As docs/internals/contract.md shows it.
SPEAKERS = '''"""Speakers: their fields and the keys of their JSON; their list has the filters of venues."""

from kalends.contract.fields import RecordField, keys_of, table
from kalends.contract.kinds import common
from kalends.contract.fields import Kind, Sentences
from kalends.contract.types.scalars import Email, Url
from kalends.contract.types.texts import Name
from kalends.contract.kinds.venues import VENUE_FILTERS
from kalends.languages import N_

SPEAKER_FIELDS = table(
    "Speaker",
    RecordField("speaker", Name(), N_("The name of the speaker."), required=True, default=None, column="name",
                csv=("Speaker Name", "Name", "Speaker"), wp="title"),
    *common.publication(None),
    common.description(N_("About the speaker."), None, csv=("Speaker Description",), always=False),
    common.status(None),
    RecordField("website", Url(), N_("The web address of the speaker."), default=None, is_searched=True, always=False,
                tec="website"),
    RecordField("email", Email(), N_("The e-mail address."), default=None, label=N_("E-mail"), always=False,
                tec="email"),
    common.image(None, csv=("Speaker Featured Image", "Image")),
    common.slug(N_("The name of the speaker in its address."), extension=True),
    common.excerpt(extension=True),
    *common.external(always=False),
)
SPEAKER_KEYS = keys_of(
    SPEAKER_FIELDS, common.ID_KEY, *("author", "status", "date", "date_utc"), *common.CHANGED_KEYS, common.PAGE_KEY,
    *("speaker", "description", "excerpt"), common.SLUG_KEY, "image", *("website", "email", "source", "external_id"),
    common.JSON_LD_KEY, ..., *common.GLOBAL_KEYS, common.REV_KEY,
)
VERBS = ("list", "create", "read", "update", "delete", "read_by_slug", "update_by_slug", "delete_by_slug",
         "put_by_external")
SPEAKER = Kind(
    *("speaker", "speakers", N_("Speaker"), N_("Speakers"), "speaker", "speaker"),
    *(SPEAKER_FIELDS, SPEAKER_KEYS, VENUE_FILTERS),
    wp="tribe_speaker",
    schema="Person",
    details=("email", "website"),
    form=("speaker", "email", "website", ..., "description", "slug"),
    detail="email",
    says=Sentences(
        operations={verb: f"{verb.capitalize().replace('_', ' ')} a speaker" for verb in VERBS},
        about=N_("A speaker."),
        about_tec=N_("A speaker, for clients of WordPress."),
        purpose="people who speak at events",
        new=N_("New speaker"),
        empty=N_("No speakers here"),
        empty_help=N_("A speaker is added with the first event."),
        unused=N_("Only speakers without events"),
        type_name=N_("Type the name of a speaker"),
        add=N_("Add “{name}” as a new speaker"),
        details_of_new=N_("Details of a new speaker"),
        table=N_("a table of speakers, separated by {separator}, encoded as {encoding}"),
    ),
)
'''
ROW = """
    Link(
        "speaker",
        Linked(partial(read_nested, SPEAKER.fields), "CreateSpeaker"),
        N_("The speakers: ids, or objects of speaker fields."),
        kind=SPEAKER,
        filters=N_("Events of any of these speakers."),
        extension=True,
        default=None,
        column="",
        json=many(ref("Speaker")),
        shows=N_("The speakers, in the order given."),
        json_ld="contributor",
        ical="ATTENDEE",
        heading=N_("Speakers"),
        group="speaker",
        csv=("Event Speakers", "Speakers", "Speaker"),
        meta="_EventSpeakerID",
        tec="speakers",
        ids=N_("The ids of the speakers."),
        sets=(N_("Set the speaker"), N_("Speaker set: {count}.")),
    ),
"""
ICON = """  "speakers": '<circle cx="10" cy="7" r="3"/>',
"""
ERRORS = {
    "NOT_FOUND": ("rest-speaker-not-found", 404, "There is no such speaker."),
    "NOT_ACCESSIBLE": ("speaker-not-accessible", 403, "This speaker is not public."),
    "IN_TRASH": ("speaker-is-in-trash", 410, "This speaker is in the trash already."),
    "NO_SUCH_PAGE": ("speaker-archive-page-not-found", 404, "The list of speakers has no such page."),
}


def test_a_new_relation_is_everywhere(tmp_path: Path) -> None:
    copy = copy_sources(tmp_path)
    add_speakers(copy)
    changed = [
        path
        for path in copy.rglob("*")
        if path.is_file() and path.suffix != ".pyc" and path.read_bytes() != (read(SOURCE / path.relative_to(copy)))
    ]
    assert len(changed) == 7 <= MOST_CHANGED
    run_tests(tmp_path, *CHECKS)


def read(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def add_speakers(copy: Path) -> None:
    contract = copy / "contract"
    kinds = contract / "kinds"
    (kinds / "speakers.py").write_text(SPEAKERS)
    imported = "from kalends.contract.kinds.speakers import SPEAKER as SPEAKER\n"
    after_organizers = '    RecordField(\n        "event_status",'
    replace(kinds / "events.py", after_organizers, ROW.removeprefix("\n") + after_organizers)
    replace(kinds / "events.py", "from kalends.contract.kinds.terms", imported + "from kalends.contract.kinds.terms")
    replace(
        kinds / "__init__.py", "from kalends.contract.kinds.terms", imported + "from kalends.contract.kinds.terms"
    )
    replace(kinds / "__init__.py", "(VENUE, ORGANIZER)", "(VENUE, ORGANIZER, SPEAKER)")
    for name, error in ERRORS.items():
        replace(contract / "errors.py", f"\n{name} = {{\n", f'\n{name} = {{\n    "speaker": ErrorType{error},\n')
    replace(
        copy / "admin" / "icons.html", '  "tags":', '  "speakers": \'<circle cx="10" cy="7" r="3"/>\',\n  "tags":'
    )
    for dialect in ("sqlite", "postgresql"):
        schema = copy / "store" / "migrations" / dialect / "0001_schema.sql"
        script = re.sub(r"(?m)^(--each KIND: .*venue organizer)", r"\1 speaker", schema.read_text())
        [table] = re.findall(r"(?ms)^CREATE TABLE organizer \(.*?^\)[^;]*;\n", script)
        own = re.sub(r"(?m)^    phone .*\n", "", table).replace("TABLE organizer", "TABLE speaker")
        script = script.replace(table, table + own)
        schema.write_text(script)


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text, f"{path.name}: {old}"
    path.write_text(text.replace(old, new, 1))
