// Tables with checkboxes: select all, and only the field that the chosen action needs.

const form = document.getElementById("bulk");
const action = form?.querySelector("select[name=action]");

function show() {
  for (const part of form.querySelectorAll("[data-for]")) part.hidden = !part.dataset.for.split(" ").includes(action.value);
}

if (form) {
  action?.addEventListener("change", show);
  if (action) show();
  form.querySelector("[data-select-all]").addEventListener("change", (event) => {
    for (const box of form.querySelectorAll("tbody input[type=checkbox]")) box.checked = event.target.checked;
  });
}
