// The dates of an event: its end follows its start, and the whole is told in words.

import { regionalLanguage } from "./region.js";

const MINUTE = 60_000;

export function addWhen(form) {
  const fields = {
    start: [form.elements.start_day, form.elements.start_time],
    end: [form.elements.end_day, form.elements.end_time],
    allDay: form.elements.all_day,
    words: form.querySelector("[data-when-in-words]"),
  };
  let duration = lengthOf(fields);
  const isWholeDay = () => fields.allDay.checked;
  const showTimes = () => {
    for (const time of [fields.start[1], fields.end[1]]) time.hidden = time.disabled = isWholeDay();
  };
  for (const input of fields.start) {
    input.addEventListener("change", () => {
      const start = read(fields.start, isWholeDay());
      if (start && duration !== null) write(fields.end, new Date(start.getTime() + duration));
      tell(fields);
    });
  }
  for (const input of fields.end) {
    input.addEventListener("change", () => {
      duration = lengthOf(fields);
      tell(fields);
    });
  }
  fields.allDay.addEventListener("change", () => {
    showTimes();
    duration = lengthOf(fields);
    tell(fields);
  });
  showTimes();
  tell(fields);
}

// Local dates are computed as if they were UTC, so that the browser's own zone never moves them.

function read([day, time], isWholeDay) {
  const date = new Date(`${day.value}T${isWholeDay ? "00:00" : time.value || "00:00"}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

function write([day, time], date) {
  day.value = date.toISOString().slice(0, 10);
  time.value = date.toISOString().slice(11, 16);
}

function lengthOf({ start, end, allDay }) {
  const [first, last] = [read(start, allDay.checked), read(end, allDay.checked)];
  return first && last && last >= first ? last - first : null;
}

/** "Tuesday, 17 November 2026, 19:00 – 21:00", in the language of the page as the reader's region writes it. */
function tell(fields) {
  const isWholeDay = fields.allDay.checked;
  const [start, end] = [read(fields.start, isWholeDay), read(fields.end, isWholeDay)];
  fields.words.textContent = start && end && end >= start ? inWords(start, end, isWholeDay, fields.words) : "";
}

function inWords(start, end, isWholeDay, { dataset }) {
  const options = { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" };
  if (!isWholeDay) Object.assign(options, { hour: "numeric", minute: "2-digit" });
  if (!isWholeDay && dataset.clock) options.hour12 = dataset.clock === "12"; // else as the language has it
  const format = new Intl.DateTimeFormat(regionalLanguage(), options);
  return end - start < MINUTE ? format.format(start) : format.formatRange(start, end);
}
