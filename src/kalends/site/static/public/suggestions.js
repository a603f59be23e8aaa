// Suggests events, venues and categories below the search box. Without this script the form searches.

const PAUSE = 200; // milliseconds without typing before the calendar is asked
const FEWEST = 2; // letters; one is enough where a word is a sign or two
const WORD_SIGN = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

export function addSuggestions() {
  const input = document.getElementById("site-search");
  if (!input?.dataset.suggestions) return;
  const list = document.createElement("ul");
  const status = document.createElement("p");
  const box = { input, list, status, options: [], active: -1, request: new AbortController(), answers: new Map() };
  list.id = "site-suggestions";
  list.className = "suggestions";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", input.dataset.label);
  status.className = "visually-hidden";
  status.setAttribute("role", "status");
  input.closest("form").after(list, status);
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);
  input.setAttribute("aria-expanded", "false");
  let timer;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => suggest(box), PAUSE);
  });
  input.addEventListener("keydown", (event) => onKey(box, event));
  input.addEventListener("blur", () => close(box));
  input.form.addEventListener("submit", () => clearTimeout(timer));
  list.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
  list.addEventListener("click", ({ target }) => {
    const option = target.closest("[role=option]");
    if (option) location.assign(option.dataset.href);
  });
}

async function suggest(box) {
  const typed = box.input.value.trim().replace(/\s+/g, " ");
  box.request.abort();
  box.request = new AbortController();
  if (typed.length < FEWEST && !WORD_SIGN.test(typed)) return close(box);
  const address = new URL(box.input.dataset.suggestions, location.href);
  address.searchParams.set("search", typed);
  try {
    if (!box.answers.has(typed)) {
      const response = await fetch(address, { signal: box.request.signal });
      if (!response.ok) return close(box); // busy: the form still searches
      box.answers.set(typed, (await response.json()).suggestions);
    }
    if (document.activeElement === box.input) show(box, box.answers.get(typed));
  } catch (error) {
    if (error.name !== "AbortError") close(box);
  }
}

function show(box, suggestions) {
  const groups = new Map();
  box.active = -1;
  box.options = suggestions.map((suggestion, index) => {
    const option = element("li", "", { role: "option", id: `site-suggestion-${index}`, "aria-selected": "false" });
    option.dataset.href = suggestion.href;
    option.append(element("bdi", suggestion.name));
    if (suggestion.about) option.append(" ", element("small", suggestion.about, { dir: "auto" }));
    if (!groups.has(suggestion.kind)) groups.set(suggestion.kind, []);
    groups.get(suggestion.kind).push(option);
    return option;
  });
  box.list.replaceChildren(
    ...[...groups].map(([kind, options]) => {
      const group = element("li", "", { role: "group", "aria-label": kind });
      const inner = element("ul", "", { role: "presentation" });
      inner.append(...options);
      group.append(element("span", kind, { "aria-hidden": "true", class: "kind" }), inner);
      return group;
    }),
  );
  box.list.hidden = !suggestions.length;
  box.input.setAttribute("aria-expanded", String(Boolean(suggestions.length)));
  box.input.removeAttribute("aria-activedescendant");
  box.status.textContent = box.input.dataset.count.replace("{count}", String(suggestions.length));
}

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function onKey(box, event) {
  if (event.isComposing || box.list.hidden) return;
  if (event.key === "Escape") {
    event.preventDefault(); // what was typed stays
    close(box);
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    // One place more than there are suggestions: the field itself.
    const places = box.options.length + 1;
    activate(box, ((box.active + 1 + (event.key === "ArrowDown" ? 1 : places - 1)) % places) - 1);
  } else if (event.key === "Enter" && box.active >= 0) {
    event.preventDefault();
    location.assign(box.options[box.active].dataset.href);
  }
}

function activate(box, index) {
  box.options[box.active]?.setAttribute("aria-selected", "false");
  box.active = index;
  const option = box.options[index];
  if (!option) return box.input.removeAttribute("aria-activedescendant");
  option.setAttribute("aria-selected", "true");
  option.scrollIntoView({ block: "nearest" });
  box.input.setAttribute("aria-activedescendant", option.id);
}

function close(box) {
  box.request.abort();
  box.list.hidden = true;
  box.active = -1;
  box.input.setAttribute("aria-expanded", "false");
  box.input.removeAttribute("aria-activedescendant");
  box.status.textContent = "";
}
