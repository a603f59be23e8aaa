// The editor of an event: puts the small modules together.

import { addLibrary } from "./admin_library.js";
import { addPicker } from "./admin_picker.js";
import { addPicture } from "./admin_picture.js";
import { addPreview } from "./admin_preview.js";
import { addRepeats } from "./admin_repeats.js";
import { addRichText } from "./admin_rich_text.js";
import { keepUnsaved } from "./admin_unsaved.js";
import { upload } from "./admin_upload.js";
import { addWhen } from "./admin_when.js";

const form = document.getElementById("editor");
const token = document.querySelector("meta[name=kalends-token]").content;

for (const field of form.querySelectorAll("[data-rich-text]")) addRichText(field, upload);
for (const field of form.querySelectorAll("[data-picker]")) addPicker(field);
for (const field of form.querySelectorAll("[data-picture]")) addPicture(field, upload);
addLibrary();
addWhen(form);
addRepeats(form);
addPreview(form);
addTickets(form.querySelector("[data-tickets]"));
keepUnsaved(form, { token });

/** There is always one empty row at the end. */
function addTickets(list) {
  list.addEventListener("input", () => {
    const last = list.lastElementChild;
    if (![...last.querySelectorAll("input:not([type=hidden])")].some((input) => input.value)) return;
    const next = last.cloneNode(true);
    for (const input of next.querySelectorAll("input")) input.value = "";
    list.append(next);
  });
}
