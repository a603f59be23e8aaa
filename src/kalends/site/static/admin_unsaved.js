// What was typed is not lost: own drafts are saved in the background, changes to published events are kept in the
// browser until they are saved, and leaving the page asks first.

const PAUSE = 3_000; // milliseconds without typing before a draft is saved

export function keepUnsaved(form, { token }) {
  const state = { form, token, saved: contentOf(form), timer: 0, isSending: false, status: form.querySelector("[data-save-status]") };
  form.addEventListener("input", () => {
    clearTimeout(state.timer);
    state.timer = setTimeout(() => keep(state), PAUSE);
    tell(state, "changed");
  });
  form.addEventListener("submit", () => {
    state.isSending = true;
    forget(form);
  });
  addEventListener("beforeunload", (event) => {
    if (!state.isSending && contentOf(form) !== state.saved) event.preventDefault();
  });
  offerKept(state);
}

/** Everything that the form would send, but for the token of the session. */
function contentOf(form) {
  const pairs = [...new FormData(form)].filter(([name, value]) => typeof value === "string" && name !== "token");
  return new URLSearchParams(pairs).toString();
}

async function keep(state) {
  const content = contentOf(state.form);
  if (content === state.saved) return tell(state, "saved");
  if (state.form.dataset.autosave) {
    if (state.form.elements.title.value.trim()) await saveDraft(state, content); // an event needs a title
    return;
  }
  if (keepHere(state)) tell(state, "kept");
}

/** Keeps the whole form in the browser. Without storage the question on leaving is all there is. */
function keepHere(state) {
  const content = contentOf(state.form);
  try {
    localStorage.setItem(keyOf(state.form), content);
    return true;
  } catch {
    state.saved = "";
    return false;
  }
}

async function saveDraft(state, content) {
  tell(state, "saving");
  try {
    const response = await fetch(state.form.dataset.autosave, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", "X-Kalends-Token": state.token, Accept: "application/json" },
      body: content,
    });
    if (response.redirected) return tell(state, "signedOut"); // to the sign-in
    const answer = await response.json();
    if (!response.ok) return tell(state, response.status === 409 || response.status === 412 ? "conflict" : "refused");
    state.saved = content;
    adopt(state.form, answer);
    state.saved = contentOf(state.form);
    if (answer.is_whole) forget(state.form);
    else keepHere(state); // a new venue, organizer, category or tag: made when a person saves, kept here until then
    tell(state, "saved");
  } catch {
    tell(state, "offline");
  }
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

function keyOf(form) {
  return `kalends-unsaved:${new URL(form.action).pathname}`;
}

function forget(form) {
  try {
    localStorage.removeItem(keyOf(form));
  } catch {
    // Nothing was kept.
  }
}

/** Changes that were kept when the page was left: a notice with a button brings them back. */
function offerKept(state) {
  const notice = state.form.querySelector("[data-kept-changes]");
  const kept = readKept(state.form);
  if (!notice || !kept || kept === state.saved) return;
  notice.hidden = false;
  notice.querySelector("[data-restore]").addEventListener("click", () => {
    restore(state.form, new URLSearchParams(kept));
    notice.hidden = true;
  });
  notice.querySelector("[data-discard]").addEventListener("click", () => {
    forget(state.form);
    notice.hidden = true;
  });
}

function readKept(form) {
  try {
    return localStorage.getItem(keyOf(form));
  } catch {
    return null;
  }
}

function restore(form, kept) {
  for (const input of form.elements) {
    if (!input.name || input.type === "file" || input.name === "token" || input.name === "version") continue;
    if (input.name.endsWith("[]") && input.type === "date") continue; // each of its values becomes one of a list
    if (input.type === "checkbox" || input.type === "radio") input.checked = kept.getAll(input.name).includes(input.value);
    else if (kept.has(input.name)) input.value = kept.get(input.name);
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }
  form.dispatchEvent(new CustomEvent("kalends-restored", { bubbles: true, detail: kept }));
}
