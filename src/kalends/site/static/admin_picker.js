// Finds venues, organizers and tags by typing, and adds them to a list of checkboxes. Without this script the field
// is a text field with suggestions, and the server finds the record by its name or creates it.

const PAUSE = 150; // milliseconds without typing before the calendar is asked
const SHOWN = 8;
const ASKED = 40; // of which the best are shown
const NEW = "new:"; // before a name that is no id: a tag may be called 2027
const SEPARATORS = /[,;，；、]/;

export function addPicker(field) {
  const picker = {
    field,
    input: field.querySelector("[data-picker-name]"),
    chosen: field.querySelector("[data-picker-chosen]"),
    row: field.querySelector("template[data-picker-row]"),
    details: field.querySelector("details"),
    hint: field.querySelector("[data-picker-hint]"),
    list: document.createElement("ul"),
    found: [],
    active: -1,
    shownFor: "", // what was typed when the suggestions were found
    request: new AbortController(),
  };
  const { input, list } = picker;
  list.id = `${input.id}-options`;
  list.className = "picker-options";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", field.dataset.label);
  input.removeAttribute("list"); // the browser's own suggestions
  input.after(list);
  for (const [name, value] of Object.entries({
    role: "combobox",
    autocomplete: "off",
    "aria-autocomplete": "list",
    "aria-controls": list.id,
    "aria-expanded": "false",
  })) {
    input.setAttribute(name, value);
  }
  let timer;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    if (takesNames(picker) && SEPARATORS.test(input.value)) addTyped(picker);
    timer = setTimeout(() => suggest(picker), PAUSE);
  });
  input.addEventListener("keydown", (event) => onKey(picker, event));
  input.addEventListener("blur", () => {
    close(picker);
    askWhetherMeant(picker);
  });
  list.addEventListener("mousedown", (event) => {
    event.preventDefault(); // the field keeps the focus
    const option = event.target.closest("[role=option]");
    if (option) choose(picker, Number(option.dataset.index));
  });
}

async function suggest(picker) {
  const name = picker.input.value.trim();
  picker.request.abort();
  picker.request = new AbortController();
  if (!name) return close(picker);
  const address = new URL(picker.field.dataset.source, location.href);
  address.searchParams.set("search", name);
  address.searchParams.set("per_page", String(ASKED));
  try {
    const response = await fetch(address, { signal: picker.request.signal });
    if (!response.ok) return;
    const records = (await response.json())[picker.field.dataset.records];
    const found = records.map((record) => described(record, picker.field.dataset));
    show(picker, name, best(found, folded(name)).slice(0, SHOWN));
  } catch (error) {
    if (error.name !== "AbortError") close(picker); // offline: what is typed is sent as it is
  }
}

/** Names that begin with what is typed, then those with a word that does, then the others. */
function best(found, typed) {
  const rank = ({ name }) => {
    const words = folded(name);
    return words.startsWith(typed) ? 0 : words.split(/[\s\-–,.'’/()]+/).some((word) => word.startsWith(typed)) ? 1 : 2;
  };
  return found.sort((one, other) => rank(one) - rank(other));
}

/** Whether names alone make new records, as those of tags do. */
function takesNames({ field, details }) {
  return Boolean(field.dataset.create && field.dataset.many && !details);
}

/** Adds the names before each comma or semicolon; what follows the last one is still being typed. */
function addTyped(picker) {
  const names = picker.input.value.split(SEPARATORS);
  picker.input.value = names.pop().trimStart();
  for (const name of names.map((one) => one.trim()).filter(Boolean)) addName(picker, name);
}

function addName(picker, name) {
  const known = picker.found.find((record) => record.id !== null && folded(record.name) === folded(name));
  addChosen(picker, String(known?.id ?? NEW + name), known?.name ?? name);
}

function described(record, { key, detail }) {
  const parts = detail ? detail.split(",").map((one) => record[one]) : [];
  return { id: record.id, name: unescaped(record[key]), detail: parts.filter(Boolean).join(", ") };
}

/** The names of terms come HTML-escaped. */
function unescaped(text) {
  return new DOMParser().parseFromString(`<p>${text.replaceAll("<", "&lt;")}`, "text/html").body.textContent;
}

function show(picker, name, found) {
  const { list, input, field } = picker;
  const isKnown = found.some((record) => folded(record.name) === folded(name));
  picker.found = isKnown || !field.dataset.create ? found : [...found, { id: null, name, detail: "" }];
  // The 1 of Room 1 is no beginning of 10: Enter takes what was typed then.
  picker.active = picker.found.findIndex((record) => hasNumbers(record.name, name));
  picker.shownFor = name;
  list.replaceChildren(...picker.found.map((record, index) => option(picker, record, index)));
  list.hidden = !picker.found.length;
  input.setAttribute("aria-expanded", String(!list.hidden));
  mark(picker);
}

/** Whether a name has all numbers of what was typed, whole. */
function hasNumbers(name, typed) {
  const numbers = (text) => text.normalize("NFKC").match(/\p{Nd}+/gu) ?? [];
  return numbers(typed).every((number) => numbers(name).includes(number));
}

function option({ list, field }, record, index) {
  const item = document.createElement("li");
  item.id = `${list.id}-${index}`;
  item.dataset.index = String(index);
  item.setAttribute("role", "option");
  item.textContent = record.id === null ? field.dataset.create.replace("{name}", record.name) : record.name;
  if (record.detail) {
    const detail = document.createElement("small");
    detail.textContent = record.detail;
    item.append(" ", detail);
  }
  return item;
}

function folded(text) {
  return text.normalize("NFD").replace(/\p{Mark}/gu, "").replace(/\s+/g, " ").trim().toLowerCase();
}

function mark({ list, input, active }) {
  [...list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === active)));
  const current = list.children[active];
  if (current) input.setAttribute("aria-activedescendant", current.id);
  else input.removeAttribute("aria-activedescendant");
  current?.scrollIntoView({ block: "nearest" });
}

function onKey(picker, event) {
  const isOpen = !picker.list.hidden;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step && isOpen) {
    event.preventDefault();
    picker.active = (picker.active + step + picker.found.length) % picker.found.length;
    mark(picker);
  } else if (event.key === "Enter" && picker.input.value.trim()) {
    event.preventDefault(); // a name is chosen, the form is not sent
    if (isOpen && picker.shownFor === picker.input.value.trim()) choose(picker, picker.active);
    else if (takesNames(picker)) {
      // Typed faster than the calendar answers: what is shown belongs to other words.
      close(picker);
      addName(picker, picker.input.value.trim());
      picker.input.value = "";
    } else suggest(picker);
  } else if (event.key === "Escape" && isOpen) {
    event.stopPropagation();
    close(picker);
  }
}

function choose(picker, index) {
  const record = picker.found[index];
  if (!record) return;
  close(picker);
  if (record.id === null) return chooseNew(picker, record.name);
  addChosen(picker, String(record.id), record.name, record.detail);
  picker.input.value = "";
  picker.hint?.replaceChildren();
  if (picker.details) picker.details.open = false;
}

/** A new record: tags need only a name, venues and organizers show their fields. */
function chooseNew(picker, name) {
  if (!picker.details) {
    addChosen(picker, NEW + name, name);
    picker.input.value = "";
    return;
  }
  picker.input.value = name;
  askWhetherMeant(picker);
  picker.details.open = true;
  const country = picker.details.querySelector("[data-country]");
  if (country) country.querySelector("input").value ||= country.dataset.country;
  picker.details.querySelector("input")?.focus();
}

/** One tap takes the record that was probably meant. */
function askWhetherMeant(picker) {
  if (!picker.hint) return;
  const typed = picker.input.value.trim();
  const alike = picker.found.find((record) => record.id !== null && hasNumbers(record.name, typed));
  picker.hint.replaceChildren();
  if (!alike || !typed || picker.shownFor !== typed) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = picker.field.dataset.alike.replace("{name}", [alike.name, alike.detail].filter(Boolean).join(", "));
  button.addEventListener("click", () => {
    addChosen(picker, String(alike.id), alike.name, alike.detail);
    picker.input.value = "";
    for (const input of picker.details?.querySelectorAll("input") ?? []) input.value = "";
    if (picker.details) picker.details.open = false;
    picker.hint.replaceChildren();
    picker.input.focus();
  });
  picker.hint.append(button);
}

function addChosen({ chosen, row, field }, value, name, detail = "") {
  const known = [...chosen.querySelectorAll("input")].find((input) => input.value === value);
  if (known) {
    known.checked = true;
    return;
  }
  if (!field.dataset.many) chosen.replaceChildren();
  const copy = row.content.cloneNode(true);
  copy.querySelector("input").value = value;
  copy.querySelector("[data-name]").textContent = name;
  if (detail) {
    const small = document.createElement("small");
    small.className = "muted";
    small.textContent = detail;
    copy.querySelector("[data-name]").append(" ", small);
  }
  chosen.append(copy);
  chosen.dispatchEvent(new Event("input", { bubbles: true }));
}

function close({ list, input }) {
  list.hidden = true;
  input.setAttribute("aria-expanded", "false");
  input.removeAttribute("aria-activedescendant");
}
