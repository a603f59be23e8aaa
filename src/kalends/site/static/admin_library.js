// The dialog in which a picture of the library is chosen, for a picture box or for the text.

const PAUSE = 200; // milliseconds without typing before the library is asked

let answer = null; // what is done with the picture that is chosen

/** Opens the library; `take` gets the chosen picture as the interface describes one. */
export function chooseFromLibrary(take) {
  const dialog = document.getElementById("library");
  answer = take;
  dialog.showModal();
  load(dialog);
}

export function addLibrary() {
  const dialog = document.getElementById("library");
  if (!dialog) return;
  const search = dialog.querySelector("input[type=search]");
  let timer;
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => load(dialog), PAUSE);
  });
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault(); // the form around is not sent
  });
  dialog.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.page) load(dialog, button.dataset.page);
    if (button.dataset.choose) choose(dialog, button.dataset);
    if ("close" in button.dataset) dialog.close();
  });
}

function choose(dialog, { choose: id, src, url, alt, focus, width, height }) {
  dialog.close();
  answer?.({ id, url, alt, focus, width: Number(width), height: Number(height), sizes: { medium: { url: src } } });
}

async function load(dialog, number = "1") {
  const list = dialog.querySelector("[data-library-list]");
  const address = new URL(dialog.dataset.library, location.href);
  address.searchParams.set("search", dialog.querySelector("input[type=search]").value.trim());
  address.searchParams.set("page", number);
  try {
    const response = await fetch(address);
    if (!response.ok) throw new Error(response.statusText);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    list.replaceChildren(...page.body.childNodes);
  } catch {
    list.textContent = dialog.dataset.offline;
  }
}
