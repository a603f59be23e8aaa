// Settings that are pictures: one may be chosen from the library instead of a file.

import { addLibrary, chooseFromLibrary } from "./admin_library.js";

addLibrary();
for (const button of document.querySelectorAll("[data-from-library]")) {
  const field = button.closest(".field");
  const id = field.querySelector("input[type=hidden][name$=_image]");
  const file = field.querySelector("input[type=file]");
  const image = field.querySelector("img");
  button.parentElement.hidden = false;
  button.addEventListener("click", () => {
    chooseFromLibrary((chosen) => {
      id.value = chosen.id;
      image.src = chosen.sizes.medium.url;
      image.hidden = false;
      file.value = ""; // a file would count
      id.dispatchEvent(new Event("input", { bubbles: true }));
    });
  });
  file.addEventListener("change", () => {
    id.value = "";
  });
}
