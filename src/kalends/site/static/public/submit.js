// The public form for events: a large photo is made smaller when it is chosen.

import { shrunk } from "./shrink.js";

const chosen = document.querySelector("input[type=file][data-shrink]");

chosen?.addEventListener("change", async () => {
  const file = chosen.files[0];
  if (!file) return;
  const button = chosen.form.querySelector("button[type=submit]");
  button.disabled = true; // until it is known which file is sent
  try {
    const smaller = await shrunk(file);
    if (smaller !== file) {
      const files = new DataTransfer();
      files.items.add(smaller);
      chosen.files = files.files;
    }
  } finally {
    button.disabled = false;
  }
});
