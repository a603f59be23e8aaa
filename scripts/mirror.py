import json  # python mirror.py http://127.0.0.1:8000/api/calendar/events/v1 copy.json
import sys
from pathlib import Path

import httpx

ns, file = sys.argv[1], Path(sys.argv[2])
since, records = json.loads(file.read_text()) if file.exists() else (None, {})
while True:
    wanted = {"include": "records", "expand": "events", "limit": 1000, "wait": 25}
    answer = httpx.get(f"{ns}/changes", params=wanted | ({"since": since} if since else {}), timeout=60)
    if answer.status_code == 410:  # too long ago, or another calendar: begin again
        since, records = None, {}
        continue
    page = answer.raise_for_status().json()
    for change in page["changes"]:
        if change["change"] == "gone":
            records.pop(f"{change['kind']} {change['id']}", None)
        else:
            records[f"{change['kind']} {change['id']}"] = change["record"]
    since = page["next"]
    file.write_text(json.dumps([since, records]))
