// Tables with checkboxes: select all, how many are selected, and only the field that the chosen action needs.

const form = document.getElementById("bulk");
const action = form?.querySelector("select[name=action]");
const every = form?.querySelector("input[name=all]");
const selected = form?.querySelector("[data-selected]");

function show() {
  for (const part of form.querySelectorAll("[data-for]")) part.hidden = !part.dataset.for.split(" ").includes(action.value);
}

function count() {
  if (!selected) return;
  const number = form.querySelectorAll("tbody input[type=checkbox]:checked").length;
  const shown = every?.checked ? selected.dataset.every : number;
  selected.textContent = shown ? selected.dataset.selected.replace("{count}", shown) : "";
}

if (form) {
  action?.addEventListener("change", show);
  if (action) show();
  const all = form.querySelector("[data-select-all]");
  const check = (boxes, value) => {
    for (const box of boxes) box.checked = value;
  };
  form.addEventListener("change", (event) => {
    const boxes = form.querySelectorAll("tbody input[type=checkbox]");
    if (event.target === all) check(boxes, all.checked);
    if (event.target === every) check([all, ...boxes], every.checked);
    if (every && event.target.closest("tbody") && !event.target.checked) check([every, all], false);
    if (every && event.target === all && !all.checked) every.checked = false;
    count();
  });
  count();
}
