// The public page of the event as the form has it now, beside the form or over it.

const PAUSE = 800;

export function addPreview(form) {
  const button = form.querySelector("[data-preview-button]");
  const dialog = document.getElementById("preview");
  const frame = dialog.querySelector("iframe");
  const load = async () => {
    const response = await fetch(button.formAction, { method: "POST", body: new FormData(form) });
    frame.srcdoc = await response.text();
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
