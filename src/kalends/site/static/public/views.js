// Month, week and day: cards that Escape hides, the line of the present, and the day that a phone shows.

const root = document.documentElement;

// A card must be dismissable without moving the pointer or the focus.
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") root.dataset.noCards = "";
});
for (const type of ["pointerover", "focusin"]) {
  document.addEventListener(type, (event) => {
    delete root.dataset.noCards;
    const item = event.target.closest("li:has(> .hover-card)");
    if (item) chooseSide(item);
  });
}

// An open list of further events closes with Escape, and with a press beside it.
function closeSheets(except) {
  for (const sheet of document.querySelectorAll("details.sheet[open]")) {
    if (sheet === except) continue;
    const hadFocus = sheet.contains(document.activeElement);
    sheet.open = false;
    if (hadFocus) sheet.querySelector("summary").focus();
  }
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeSheets(null);
});
document.addEventListener("click", (event) => closeSheets(event.target.closest("details.sheet")));

/** A card opens above its event where it would not fit below. */
function chooseSide(item) {
  const { top, bottom } = item.getBoundingClientRect();
  const isHigh = item.querySelector(".hover-card img") !== null;
  const height = isHigh ? 330 : 180; // pixels; it has no size before it is shown
  item.toggleAttribute("data-above", bottom + height > innerHeight && top > height);
}

/** Moves the line of the present; the server placed it to the quarter of an hour. */
function addNow() {
  const line = document.querySelector(".now");
  if (!line) return;
  const { zone, first } = line.closest("[data-zone]").dataset;
  let form;
  try {
    form = new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  } catch {
    return; // a zone that the browser does not know
  }
  const move = () => {
    const [hour, minute] = form.format(new Date()).split(":").map(Number);
    const quarter = (hour - first) * 4 + minute / 15;
    if (quarter < 0) return;
    line.style.gridRowStart = Math.floor(quarter) + 1;
    line.style.gridRowEnd = Math.floor(quarter) + 2;
    line.style.marginBlockStart = `calc(var(--quarter) * ${quarter % 1})`;
  };
  move();
  setInterval(move, 60_000);
}

/** Marks the day whose events a phone shows, in the grid or in the strip of the week. */
function addChosenDay() {
  const links = [...document.querySelectorAll(".below, .strip a[href^='#']")];
  if (!links.length) return;
  const opened = links.find((link) => link.getAttribute("aria-current"));
  const mark = () => {
    const found = links.find((link) => location.hash && link.getAttribute("href") === location.hash) ?? opened;
    for (const link of links) {
      if (link === found) link.setAttribute("aria-current", "date");
      else link.removeAttribute("aria-current");
    }
  };
  addEventListener("hashchange", mark);
  mark();
}

/** On a touch screen the button of the date opens the system's picker, and choosing there needs no button. */
function addJump() {
  const field = document.getElementById("date");
  if (!field || !matchMedia("(pointer: coarse)").matches) return;
  field.addEventListener("change", () => field.checkValidity() && field.form.requestSubmit());
  field.closest("details").addEventListener("toggle", ({ target }) => {
    if (!target.open) return;
    try {
      field.showPicker();
    } catch {
      // Some browsers open it only when the field itself is pressed.
    }
  });
}

addNow();
addChosenDay();
addJump();
