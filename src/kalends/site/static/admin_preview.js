// The public page of the event as the form has it now, beside the form or over it.

const PAUSE = 800;

export function addPreview(form) {
  const button = form.querySelector("[data-preview-button]");
  const dialog = document.getElementById("preview");
  const frame = dialog.querySelector("iframe");
  const load = async () => {
    const response = await fetch(`${form.action}/preview`, { method: "POST", body: new FormData(form) });
    // The frame runs no scripts; without them the browser has nothing to complain about.
    frame.srcdoc = (await response.text()).replace(/<script\b[^>]*>[^<]*<\/script>/g, "");
  };
  button.addEventListener("click", (event) => {
    event.preventDefault();
    dialog.show();
    load();
  });
  dialog.querySelector("[data-close-preview]").addEventListener("click", () => dialog.close());
  let timer;
  form.addEventListener("input", () => {
    if (!dialog.open) return;
    clearTimeout(timer);
    timer = setTimeout(load, PAUSE);
  });
}
