"""Every kind of page is valid HTML, in a language of each direction."""

import json
import re
import subprocess
from pathlib import Path

import httpx
from tests.admin.admin_client import ADMIN_PAGES, AdminClient, key_in
from tests.conftest import BASE_URL, World
from tests.effort import effort
from tests.site.validators import PAGES, STATUSES, fill, in_language, installed

# All recommended rules but those of style.
CONFIG = {
    "root": True,
    "extends": ["html-validate:recommended"],
    "rules": {
        "doctype-style": "off",  # `doctype` in small letters is the same
        # Checkboxes of one name are a list of what was chosen.
        "form-dup-name": ["error", {"shared": ["radio", "submit", "button", "reset", "checkbox"]}],
        "prefer-native-element": ["error", {"exclude": ["textbox"]}],  # no native element edits formatted text
        "long-title": "off",  # a title is as long as the name of the event
        "tel-non-breaking": "off",  # where a number may be broken is for style sheets
    },
}

# All have the same elements; those of the other direction have some more.
READ = effort(("ar",), ("en", "ar"))
# Of what is alike the first two are kept: hundreds of time zones would take most of the time, and the entries of the
# API reference, which are as long as all other pages together, are usually those with which each group begins.
OPTION, ENTRY = r"\s*<option[^>]*>[^<]*</option>", r'\s*<article class="entry.*?</article>'
MANY = [re.compile(f"((?:{one}){{2}})(?:{one})+", re.DOTALL) for one in effort((OPTION, ENTRY), (OPTION,))]


def test_every_page_is_valid_html(world: World, tmp_path: Path) -> None:
    fill(world.post)
    for language in READ:
        for name, path in PAGES.items():
            if name == "API reference" and language != READ[0]:
                continue
            answer = world.client.get(in_language(path, language))
            write(tmp_path / f"{name} {language}.html", answer, STATUSES.get(name, 200))
        for password, status in (("wrong", 403), ("sesame", 200)):
            answer = world.client.post(in_language("/event/supper/", language), data={"password": password})
            write(tmp_path / f"{password} password {language}.html", answer, status)
        world.client.cookies.clear()  # the event is locked again
    assert problems_in(tmp_path) == []


def test_every_page_of_the_admin_is_valid_html(world: World, tmp_path: Path) -> None:
    fill(world.post)
    admin, guest = AdminClient(world, "administrator"), AdminClient(world)
    key = key_in(admin.post("/admin/people/invite", {"role": "editor", "note": "Ada"}, status=200).text)
    for language in READ:
        for path in ADMIN_PAGES:
            answer = admin.client.get(BASE_URL + in_language(path, language))
            write(tmp_path / f"{path.replace('/', '-')} {language}.html", answer, 200)
        for path in ("/admin/sign-in", f"/admin/link?key={key}"):
            answer = guest.client.get(BASE_URL + in_language(path, language))
            write(tmp_path / f"{path.replace('/', '-')[:14]} {language}.html", answer, 200)
        bad = {"name": "", "language": "x", "timezone": "x", "site_name": "", "role": "x", "token": admin.token}
        for path in ("/admin/settings/calendar", "/admin/profile", "/admin/people/1", "/admin/people/invite"):
            answer = admin.client.post(BASE_URL + in_language(path, language), data=bad)
            write(tmp_path / f"bad {path.replace('/', '-')} {language}.html", answer, 400)
    assert problems_in(tmp_path) == []


def problems_in(folder: Path) -> list[str]:
    """What html-validate has against the pages of a folder."""
    validator = installed("html-validate") / "bin" / "html-validate.mjs"
    (folder / ".htmlvalidate.json").write_text(json.dumps(CONFIG))
    command = ["node", validator, "--formatter", "json", "--max-warnings", "0", *sorted(folder.glob("*.html"))]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    reports = json.loads(result.stdout)
    return [
        f"{Path(report['filePath']).name}:{found['line']} {found['ruleId']}: {found['message']}"
        for report in reports
        for found in report["messages"]
    ]


def write(file: Path, answer: httpx.Response, status: int) -> None:
    assert answer.status_code == status, file.name
    text = answer.text
    for many in MANY:
        text = many.sub(r"\1", text)
    file.write_text(text, encoding="utf-8")
