"""Every kind of page is valid HTML, in a language of each direction."""

import json
import subprocess
from pathlib import Path

import httpx
from tests.conftest import World
from tests.pages.validators import PAGES, STATUSES, fill, in_language, installed

# All recommended rules but those of style.
CONFIG = {
    "root": True,
    "extends": ["html-validate:recommended"],
    "rules": {
        "doctype-style": "off",  # `doctype` in small letters is the same
        "long-title": "off",  # a title is as long as the name of the event
        "tel-non-breaking": "off",  # where a number may be broken is for style sheets
    },
}


def test_every_page_is_valid_html(world: World, tmp_path: Path) -> None:
    validator = installed("html-validate") / "bin" / "html-validate.mjs"
    fill(world.post)
    (tmp_path / ".htmlvalidate.json").write_text(json.dumps(CONFIG))
    for language in ("en", "ar"):
        for name, path in PAGES.items():
            answer = world.client.get(in_language(path, language))
            write(tmp_path / f"{name} {language}.html", answer, STATUSES.get(name, 200))
        for password, status in (("wrong", 403), ("sesame", 200)):
            answer = world.client.post(in_language("/event/supper/", language), data={"password": password})
            write(tmp_path / f"{password} password {language}.html", answer, status)
    command = ["node", validator, "--formatter", "json", "--max-warnings", "0", *sorted(tmp_path.glob("*.html"))]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    reports = json.loads(result.stdout)
    problems = [
        f"{Path(report['filePath']).name}:{found['line']} {found['ruleId']}: {found['message']}"
        for report in reports
        for found in report["messages"]
    ]
    assert problems == []
    assert result.returncode == 0, result.stderr


def write(file: Path, answer: httpx.Response, status: int) -> None:
    assert answer.status_code == status, file.name
    file.write_bytes(answer.content)
