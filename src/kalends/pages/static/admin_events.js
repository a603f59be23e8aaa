// The table of events: select all, and only the field that the chosen action needs.

const form = document.getElementById("bulk");
const action = form?.elements.action;

function show() {
  for (const part of form.querySelectorAll("[data-for]")) part.hidden = part.dataset.for !== action.value;
}

if (form) {
  action.addEventListener("change", show);
  show();
  form.querySelector("[data-select-all]").addEventListener("change", (event) => {
    for (const box of form.querySelectorAll("[name=event]")) box.checked = event.target.checked;
  });
}
