// "On my clock": shows the times of events in the reader's time zone, where it differs. The choice is remembered.

import { pageClock, regionalLanguage } from "../region.js";

const KEY = "kalends-my-clock";
const times = [...document.querySelectorAll("main time[datetime*=T]")].filter(differs);
const there = new Map(); // what the server wrote
const box = document.getElementById("my-clock");

/** Whether a time has another offset than the reader's clock has at that moment. */
function differs(time) {
  const [, sign, hours, minutes] = time.dateTime.match(/([+-])(\d\d):(\d\d)$/) ?? [null, "+", 0, 0];
  const offset = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  return offset !== -new Date(time.dateTime).getTimezoneOffset();
}

/** Start and end, with the day where it is another one here. */
function written(time) {
  const start = new Date(time.dateTime);
  const end = time.dataset.end ? new Date(time.dataset.end) : start;
  const day = String(start.getDate()) === String(Number(time.dateTime.slice(8, 10))) ? {} : { weekday: "short" };
  const form = new Intl.DateTimeFormat(regionalLanguage(), {
    ...day, ...pageClock(), hour: "numeric", minute: "2-digit", timeZoneName: "short",
  });
  return form.formatRange(start, end);
}

function show(isMine) {
  for (const time of times) {
    if (!there.has(time)) there.set(time, [...time.childNodes]);
    time.replaceChildren(...(isMine ? [written(time)] : there.get(time)));
  }
}

function remembered() {
  try {
    return localStorage.getItem(KEY) === "1";
  } catch {
    return false;
  }
}

if (box && times.length) {
  const field = box.querySelector("input");
  box.hidden = false;
  field.checked = remembered();
  field.addEventListener("change", () => {
    show(field.checked);
    try {
      localStorage.setItem(KEY, field.checked ? "1" : "");
    } catch {
      // Without storage the choice lasts for this page only.
    }
  });
  if (field.checked) show(true);
}
