// The picture of a record: chosen, dropped or pasted, and uploaded at once; what it shows, and its focus point.

import { addFocusPoint } from "./admin_focus.js";
import { chooseFromLibrary } from "./admin_library.js";
import { request } from "./admin_request.js";

export function addPicture(field, upload) {
  const parts = {
    field,
    file: field.querySelector("input[type=file]"),
    id: field.querySelector("input[name=image]"),
    image: field.querySelector("img"),
    remove: field.querySelector("[data-remove-picture]"),
  };
  field.classList.add("is-live"); // a picture is there at once, and what it shows is asked for then
  let current = new AbortController(); // of the last picture that was chosen; the others are not asked for any more
  const decide = () => {
    current.abort();
    field.classList.remove("is-loading");
    field.querySelector("[data-upload-progress]").hidden = true;
    current = new AbortController();
    return current.signal;
  };
  const take = async (file) => {
    if (!file) return;
    const signal = decide();
    field.classList.add("is-loading");
    const stored = await upload(file, field, signal);
    if (signal.aborted) return;
    field.classList.remove("is-loading");
    if (stored) show(parts, stored);
  };
  const takeChosen = () => {
    const [file] = parts.file.files;
    parts.file.value = ""; // uploaded here: the form sends the id only
    take(file);
  };
  parts.file?.addEventListener("change", takeChosen);
  if (parts.file?.files.length) takeChosen(); // chosen before this script had arrived
  if (parts.file) addDrop(field, take);
  field.querySelector("[data-from-library]")?.addEventListener("click", () => {
    chooseFromLibrary((chosen) => {
      decide();
      show(parts, chosen);
    });
  });
  const focus = field.querySelector("[data-picture-focus]");
  if (focus) {
    parts.alt = field.querySelector("input[name=image_alt]");
    parts.focus = field.querySelector("input[name=image_focus]");
    addFocusPoint(parts.image, focus.querySelector("button"), parts.focus);
  }
  parts.remove.addEventListener("click", (event) => {
    event.preventDefault();
    decide();
    show(parts, null);
    parts.file?.focus();
  });
  field.form?.addEventListener("kalends-restored", async ({ detail }) => {
    if (detail.has("image")) showStored(parts, decide());
  });
}

/** The picture whose id the form has, with what was restored of it. One that is gone is none. */
async function showStored({ field, id, image }, signal) {
  const stored = id.value ? await request("GET", `/media/${id.value}`).catch(() => null) : null;
  if (signal.aborted) return;
  if (!stored) id.value = "";
  else image.src = pathOf(stored);
  field.classList.toggle("has-picture", Boolean(stored));
}

function show({ field, id, image, alt, focus }, stored) {
  id.value = stored?.id ?? "";
  if (alt) {
    alt.value = stored?.alt ?? "";
    focus.value = stored?.focus ?? "";
    focus.dispatchEvent(new Event("input", { bubbles: true }));
  }
  if (stored) image.src = pathOf(stored);
  field.classList.toggle("has-picture", Boolean(stored));
  if (stored && alt && !alt.value) alt.focus(); // what it shows is asked for at once
  id.dispatchEvent(new Event("input", { bubbles: true }));
}

function addDrop(field, take) {
  const imageOf = (data) => [...(data?.files ?? [])].find((file) => file.type.startsWith("image/"));
  field.addEventListener("dragover", (event) => {
    event.preventDefault();
    field.classList.add("is-target");
  });
  field.addEventListener("dragleave", () => field.classList.remove("is-target"));
  field.addEventListener("drop", (event) => {
    event.preventDefault();
    field.classList.remove("is-target");
    take(imageOf(event.dataTransfer) ?? event.dataTransfer.files[0]);
  });
  document.addEventListener("paste", (event) => {
    const isText = event.target.closest?.("input, textarea, [contenteditable]");
    const image = imageOf(event.clipboardData);
    if (image && !isText) take(image);
  });
}

/** Where the picture is shown from: the address of the calendar may be another than that of this page. */
function pathOf(stored) {
  return new URL(stored.sizes?.medium?.url ?? stored.url, location.href).pathname;
}
