// The time of an event in the reader's time zone, when it differs.

import { pageClock, regionalLanguage } from "../region.js";

const element = document.getElementById("local-time");

/** The UTC offset of a timestamp in minutes: "2027-03-10T09:00:00-05:00" is -300. */
function offset(timestamp) {
  const [, sign, hours, minutes] = timestamp.match(/([+-])(\d\d):(\d\d)$/) ?? [null, "+", 0, 0];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

if (element) {
  const start = new Date(element.dataset.start);
  const end = new Date(element.dataset.end);
  const differs = offset(element.dataset.start) !== -start.getTimezoneOffset();
  if (differs || offset(element.dataset.end) !== -end.getTimezoneOffset()) {
    const form = new Intl.DateTimeFormat(regionalLanguage(), {
      weekday: "short",
      month: "short",
      day: "numeric",
      hour: "numeric",
      ...pageClock(),
      minute: "2-digit",
      timeZoneName: "short",
    });
    element.querySelector("time").textContent = form.formatRange(start, end);
    element.hidden = false;
  }
}
