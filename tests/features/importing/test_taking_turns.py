"""Whoever waits for a turn passes while a long file is read for its preview."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.features.importing import wxr_files
from tests.features.importing.test_all_or_nothing import WINDOW
from tests.http.test_admission import Clients

from kalends.calendar import admission
from kalends.calendar.admission import SLOW, WORKER
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.sources.ics import IcsFile
from kalends.features.importing.sources.kalends_json import KalendsJson
from kalends.features.importing.sources.wxr import WxrFile

CSV = "Event Name,Event Start Date\nFair,2027-03-10\nMarket,2027-03-11\n"
ICS = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20270310T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
JSON = '{"format":"kalends","version":1,"records":[\n{"kind":"tag","id":"a/1","name":"x"}\n],"count":1}\n'
WXR = wxr_files.HEAD + wxr_files.TERMS + wxr_files.FOOT
FILES: dict[str, tuple[str, Callable[[Path], CsvTable | IcsFile | KalendsJson | WxrFile]]] = {
    "csv": (CSV, lambda path: CsvTable(path, "UTC")),
    "ics": (ICS, lambda path: IcsFile(path, "UTC", *WINDOW)),
    "json": (JSON, KalendsJson),
    "wxr": (WXR, lambda path: WxrFile(path, "UTC")),
}


@pytest.mark.parametrize("kind", FILES)
def test_others_pass_while_a_file_is_read(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "LONGEST_WITHOUT_PAUSE", 0.0)
    content, source = FILES[kind]
    path = tmp_path / f"file.{kind}"
    path.write_text(content)
    clients = Clients(WORKER)
    turns = [WORKER.enter(SLOW, "another"), WORKER.enter(SLOW, "administrator")]
    try:
        clients.ask("reader")
        source(path).prepare()
        assert clients.order == ["reader"]
    finally:
        for turn in turns:
            WORKER.leave(turn)
        clients.join()
