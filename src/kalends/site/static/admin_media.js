// The media library: pictures are dropped on the form, and the focus point is set on the picture.

import { addFocusPoint } from "./admin_focus.js";

const upload = document.getElementById("upload");
const focus = document.querySelector("[data-picture-focus]");

if (upload) {
  upload.addEventListener("dragover", (event) => {
    event.preventDefault();
    upload.classList.add("is-target");
  });
  upload.addEventListener("dragleave", () => upload.classList.remove("is-target"));
  upload.addEventListener("drop", (event) => {
    event.preventDefault();
    upload.classList.remove("is-target");
    upload.elements.file.files = event.dataTransfer.files;
    upload.requestSubmit();
  });
}

if (focus) {
  addFocusPoint(focus.querySelector("img"), focus.querySelector("button"), document.getElementById("field-focus"));
}
