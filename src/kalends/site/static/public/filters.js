// Filters apply at once; without this script their button does it.

const PAUSE = 500; // milliseconds: whoever ticks several boxes gets one page
const KEY = "kalends-filter"; // the control that was used last: its name, and its value if it is a box
const form = document.querySelector(".filters form");

/** The address of the form: several values of a filter between commas, as in links. Custom fields may have commas. */
function address() {
  const values = new Map();
  const custom = [];
  for (const [name, value] of new FormData(form)) {
    if (value && name.startsWith("custom[")) custom.push([name, value]);
    else if (value) values.set(name, values.has(name) ? `${values.get(name)},${value}` : value);
  }
  if (!values.has("geoloc_lat")) values.delete("geoloc_radius");
  const found = new URL(form.action);
  for (const [name, value] of values) found.searchParams.set(name, value);
  for (const [name, value] of custom) found.searchParams.append(name, value);
  return found.href.replaceAll("%2C", ",");
}

const isBox = ({ type }) => type === "checkbox" || type === "radio";
const keyOf = (control) => (isBox(control) ? `${control.name}=${control.value}` : control.name);

function remember(control) {
  try {
    sessionStorage.setItem(KEY, keyOf(control));
  } catch {
    // Without storage the panel is closed on the next page.
  }
}

/** The panel stays open, and the keyboard where it was. */
function reopen() {
  let key = "";
  try {
    key = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
  } catch {
    return;
  }
  if (!key) return;
  form.closest("details").open = true;
  [...form.elements].find((control) => keyOf(control) === key)?.focus();
}

if (form) {
  let timer = 0;
  form.addEventListener("change", ({ target }) => {
    const isRadius = target.name === "geoloc_radius" && !form.elements.geoloc_lat.value;
    if (isRadius) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      remember(target);
      location.assign(address());
    }, PAUSE);
  });
  // The button of a phone's sheet: an address as in links, or nothing but a closed sheet where all is applied.
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    if (address() === location.href) form.closest("details").open = false;
    else location.assign(address());
  });
  reopen();
}
