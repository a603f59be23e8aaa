// The form of a venue, organizer, category or tag.

import { addLibrary } from "./admin_library.js";
import { addPicture } from "./admin_picture.js";
import { addRichText } from "./admin_rich_text.js";
import { upload } from "./admin_upload.js";

addLibrary();

const form = document.getElementById("record");

for (const field of form.querySelectorAll("[data-rich-text]")) addRichText(field, upload);
for (const field of form.querySelectorAll("[data-picture]")) addPicture(field, upload);
