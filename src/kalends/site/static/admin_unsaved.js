// What was typed is not lost: own drafts are saved in the background, everything is kept in the browser until it is
// saved, and leaving the page asks first.
//
// A copy in the browser says which version it was typed over, and what the form had then. Bringing it back takes only
// what was changed, and makes the form one of that version again: the calendar merges it with what was saved since.

import { isPending, untilDone } from "./admin_pending.js";

const PAUSE = 3_000; // milliseconds without typing before something is kept
const LONGEST_SAVE = 20_000; // milliseconds that a save in the background may take
const SENT = "kalends-sent"; // in the session of the tab: the copy that was sent last

export function keepUnsaved(form, { token }) {
  const state = {
    form,
    token,
    tab: String(Math.random()), // two tabs have one place for their copies
    base: contentOf(form),
    timer: 0,
    isSaving: false,
    isSent: false,
    status: form.querySelector("[data-save-status]"),
  };
  form.autocomplete = "off"; // going back never fills a newer version with older texts
  form.addEventListener("input", () => {
    tell(state, "changed");
    keepLater(state);
  });
  form.addEventListener("submit", () => {
    clearTimeout(state.timer);
    state.isSent = true;
    if (isChanged(state)) keepHere(state); // until the next page tells that it was saved
    stored(sessionStorage, (session) => session.setItem(SENT, JSON.stringify(markOf(state))));
  });
  addEventListener("beforeunload", (event) => {
    if (!state.isSent && (isChanged(state) || isPending(form))) event.preventDefault();
  });
  addEventListener("pagehide", () => {
    clearTimeout(state.timer);
    if (!state.isSent && isChanged(state)) keepHere(state);
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted && state.isSent) location.reload(); // what it shows was saved, or is kept
  });
  arrive(state);
}

/** Everything that the form would send, but for the token of the session and the version. */
function contentOf(form) {
  const isContent = ([name, value]) => typeof value === "string" && name !== "token" && name !== "version";
  return new URLSearchParams([...new FormData(form)].filter(isContent)).toString();
}

function isChanged({ form, base }) {
  return contentOf(form) !== base;
}

function keepLater(state) {
  clearTimeout(state.timer);
  state.timer = setTimeout(() => keep(state), PAUSE);
}

function keep(state) {
  if (state.isSent) return;
  if (!isChanged(state)) return tell(state, "saved");
  if (state.isSaving) return keepLater(state);
  if (keepHere(state)) tell(state, "kept");
  const isDraft = state.form.dataset.autosave && state.form.elements.title.value.trim(); // an event needs a title
  if (isDraft) untilDone(state.form, saveDraft(state));
}

/** The form may be sent afterwards, whatever came of it. */
async function saveDraft(state) {
  const content = contentOf(state.form);
  state.isSaving = true;
  tell(state, "saving");
  try {
    const response = await fetch(state.form.dataset.autosave, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", "X-Kalends-Token": state.token, Accept: "application/json" },
      body: `${content}&${new URLSearchParams({ version: versionOf(state.form) })}`,
      signal: AbortSignal.timeout(LONGEST_SAVE),
    });
    if (response.redirected) tell(state, "signedOut"); // to the sign-in
    else if (response.ok) saved(state, content, await response.json());
    else tell(state, response.status === 409 || response.status === 412 ? "conflict" : "refused");
  } catch {
    tell(state, "offline");
  }
  state.isSaving = false;
  return true;
}

function saved(state, content, answer) {
  forget(markOf(state));
  adopt(state.form, answer);
  // A new venue, organizer, category or tag is made when a person saves, and kept here until then.
  if (answer.is_whole) state.base = content;
  if (isChanged(state)) keepHere(state);
  tell(state, contentOf(state.form) === content ? "saved" : "changed");
}

/** A new event has an address now; the next save is an update of this version. */
function adopt(form, { action, autosave, address, version }) {
  if (action) form.action = action;
  if (autosave) form.dataset.autosave = autosave;
  if (version) form.elements.version.value = version;
  if (address && location.pathname !== new URL(address, location.href).pathname) history.replaceState(null, "", address);
}

function tell({ status }, what) {
  status.textContent = status.dataset[what] ?? "";
}

// The copy

function versionOf(form) {
  return form.elements.version.value;
}

function markOf({ form, tab }) {
  return { key: `kalends-unsaved:${new URL(form.action).pathname}`, version: versionOf(form), tab };
}

/** Without storage the question on leaving is all there is. */
function stored(storage, use) {
  try {
    return use(storage);
  } catch {
    return null;
  }
}

/** Keeps the whole form in the browser. */
function keepHere(state) {
  const { key, version, tab } = markOf(state);
  const copy = JSON.stringify({ version, tab, base: state.base, content: contentOf(state.form) });
  return stored(localStorage, (local) => (local.setItem(key, copy), true));
}

function readCopy(key) {
  return stored(localStorage, (local) => JSON.parse(local.getItem(key)));
}

/** The copy of another tab stays. */
function forget({ key, tab }) {
  if (readCopy(key)?.tab === tab) stored(localStorage, (local) => local.removeItem(key));
}

/** A page that was led to: what was sent is saved, was refused and stands in the form, or is offered. */
function arrive(state) {
  const { form } = state;
  const { key, version } = markOf(state);
  const sent = stored(sessionStorage, (session) => JSON.parse(session.getItem(SENT)));
  stored(sessionStorage, (session) => session.removeItem(SENT));
  if ("refused" in form.dataset) {
    state.base = readCopy(key)?.base ?? "";
    if (sent?.key === key) state.tab = sent.tab;
    return;
  }
  const isSaved = document.querySelector(".message.done") !== null || (sent?.key === key && sent.version !== version);
  if (isSaved && (sent?.key === key || sent?.version === "")) forget(sent); // a new event has none
  const copy = readCopy(key);
  if (copy) offer(state, copy, key);
}

/** A notice with a button brings back what was changed when the page was left, unless the form has it all. */
function offer(state, copy, key) {
  const notice = state.form.querySelector("[data-kept-changes]");
  const drop = () => stored(localStorage, (local) => local.removeItem(key));
  const isNews = (name) => differs(name, copy.content, copy.base) && differs(name, copy.content, contentOf(state.form));
  const all = [...namesIn(copy.base), ...namesIn(copy.content)];
  const units = new Set(all.filter(isNews).map(unitOf));
  const names = new Set(all.filter((name) => units.has(unitOf(name))));
  if (!names.size) return drop();
  notice.hidden = false;
  notice.querySelector("[data-restore]").addEventListener("click", () => {
    state.form.elements.version.value = copy.version;
    restore(state.form, new URLSearchParams(copy.content), names);
    notice.hidden = true;
  });
  notice.querySelector("[data-discard]").addEventListener("click", () => {
    drop();
    notice.hidden = true;
  });
}

/** Controls that are nothing without each other: the start and the end, the rows of tickets, a rule. */
function unitOf(name) {
  if (/^(start|end)_|^all_day$|^timezone$/.test(name)) return "when";
  return /^(ticket|repeat)(?=_)/.exec(name)?.[0] ?? name;
}

function namesIn(content) {
  return new URLSearchParams(content).keys();
}

function differs(name, one, other) {
  const [values, others] = [one, other].map((content) => new URLSearchParams(content).getAll(name));
  return values.join("\n").trim() !== others.join("\n").trim();
}

/** `kept`: the values; of several controls with one name each has its own. `names`: what is taken of them. */
function restore(form, kept, names) {
  const places = new Map();
  for (const input of form.elements) {
    if (!names.has(input.name) || input.type === "file") continue;
    if (input.name.endsWith("[]") && input.type === "date") continue; // each of its values becomes one of a list
    if (input.type === "checkbox" || input.type === "radio") input.checked = kept.getAll(input.name).includes(input.value);
    else {
      const place = places.get(input.name) ?? 0;
      places.set(input.name, place + 1);
      input.value = kept.getAll(input.name)[place] ?? "";
    }
    for (const type of ["input", "change"]) input.dispatchEvent(new Event(type, { bubbles: true }));
  }
  const detail = new URLSearchParams([...kept].filter(([name]) => names.has(name)));
  form.dispatchEvent(new CustomEvent("kalends-restored", { bubbles: true, detail }));
}
