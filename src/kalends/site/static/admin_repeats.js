// The controls of a recurring event: only those that the preset uses, a preview of the next dates, and single dates that
// are skipped or added.

const PAUSE = 300;
const WEEKDAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
const CONCERNED = /^(repeat|start_|end_|all_day|timezone)/;

export function addRepeats(form) {
  const field = form.querySelector("[data-repeats]");
  if (!field) return;
  const preset = form.elements.repeat;
  const show = () => {
    for (const part of field.querySelectorAll("[data-for]")) {
      part.hidden = !part.dataset.for.split(" ").includes(preset.value);
    }
    const end = field.querySelector("[name=repeat_end]:checked")?.value;
    for (const part of field.querySelectorAll("[data-end]")) part.disabled = part.dataset.end !== end;
  };
  let timer;
  let request = new AbortController();
  const preview = async () => {
    request.abort();
    request = new AbortController();
    const output = field.querySelector("[data-preview]");
    const query = new URLSearchParams(
      [...new FormData(form)].filter(([name, value]) => CONCERNED.test(name) && value)
    );
    query.set("lang", document.documentElement.lang);
    try {
      const response = await fetch(`${field.dataset.repeats}?${query}`, { signal: request.signal });
      const part = new DOMParser().parseFromString(await response.text(), "text/html");
      nameChoices(preset, part);
      output.replaceChildren(...part.body.childNodes);
      if ("isSeries" in field.dataset) for (const button of output.querySelectorAll("[data-skip]")) button.remove();
    } catch (error) {
      if (error.name !== "AbortError") output.replaceChildren();
    }
  };
  const changed = () => {
    show();
    clearTimeout(timer);
    timer = setTimeout(preview, PAUSE);
  };
  form.addEventListener("input", (event) => {
    if (CONCERNED.test(event.target.name ?? "")) changed();
  });
  form.elements.start_day.addEventListener("change", () => {
    tickWeekday(form);
    changed(); // the end follows the start
  });
  addSingleDates(field);
  form.addEventListener("kalends-restored", changed);
  show();
  preview();
}

/** The weekday that was ticked for the start follows it, until another one is ticked. */
function tickWeekday(form) {
  const suggested = form.elements.repeat_suggested;
  const day = new Date(`${form.elements.start_day.value}T00:00Z`);
  if (!suggested || Number.isNaN(day.getTime()) || form.elements.scope?.value === "this") return;
  const boxes = [...form.querySelectorAll("[name=repeat_weekday]")];
  const ticked = boxes.filter((box) => box.checked).map((box) => box.value);
  if (ticked.length > 1 || (ticked.length === 1 && ticked[0] !== suggested.value)) return;
  suggested.value = WEEKDAYS[day.getUTCDay()];
  for (const box of boxes) box.checked = box.value === suggested.value;
}

/** "Every month, on the same weekday" is "on the fourth Friday" for this start, and "on the last Friday" if it is that. */
function nameChoices(preset, part) {
  const words = new Map();
  for (const found of part.querySelectorAll("template[data-choice]")) {
    words.set(found.dataset.choice, found.content.textContent);
    found.remove();
  }
  for (const option of preset.options) {
    option.dataset.usual ??= option.textContent;
    option.textContent = words.get(option.value) ?? option.dataset.usual;
    if (option.value === "monthly_last") option.hidden = !option.selected && words.size > 0 && !words.has(option.value);
  }
}

/** Dates of the preview are skipped with a click; a date that is typed becomes one of the list. */
function addSingleDates(field) {
  const list = field.querySelector("[data-single-dates]");
  const row = field.querySelector("[data-single-date]");
  if (!list || !row) return;
  const add = (name, value, label) => {
    const added = row.content.cloneNode(true);
    const box = added.querySelector("input");
    Object.assign(box, { name, value });
    added.querySelector("span").textContent = label;
    list.append(added);
    list.lastElementChild.querySelector("input").dispatchEvent(new Event("input", { bubbles: true }));
  };
  field.addEventListener("click", (event) => {
    const { skip, skipped } = event.target.closest("[data-skip]")?.dataset ?? {};
    if (skip) add("repeat_exceptions[]", skip, skipped);
  });
  for (const input of field.querySelectorAll("input[data-label]")) {
    const addDay = (value) => {
      const day = new Date(`${value.slice(0, 10)}T00:00Z`);
      if (Number.isNaN(day.getTime())) return;
      const text = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "full", timeZone: "UTC" }).format(day);
      add(input.name, value, input.dataset.label.replace("{date}", text));
    };
    input.addEventListener("change", () => {
      addDay(input.value);
      input.value = "";
    });
    field.closest("form").addEventListener("kalends-restored", ({ detail }) => {
      const known = [...list.querySelectorAll("input")].filter((box) => box.name === input.name).map((box) => box.value);
      detail.getAll(input.name).filter((value) => !known.includes(value)).forEach(addDay);
    });
  }
}
