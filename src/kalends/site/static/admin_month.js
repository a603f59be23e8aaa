// Dragging an event to another day sends the form that its button opens.

const month = document.querySelector("[data-month]");
let dragged = null;

for (const entry of month.querySelectorAll("[data-event]")) {
  entry.draggable = true;
  entry.addEventListener("dragstart", (event) => {
    dragged = entry;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", entry.querySelector("a").textContent.trim());
    entry.classList.add("is-dragged");
  });
  entry.addEventListener("dragend", () => {
    dragged = null;
    entry.classList.remove("is-dragged");
  });
}

for (const day of month.querySelectorAll("[data-day]")) {
  day.addEventListener("dragover", (event) => {
    if (!dragged) return;
    event.preventDefault();
    day.classList.add("is-target");
  });
  day.addEventListener("dragleave", () => day.classList.remove("is-target"));
  day.addEventListener("drop", (event) => {
    day.classList.remove("is-target");
    if (!dragged) return;
    event.preventDefault();
    const form = dragged.querySelector("form");
    if (form.elements.day.value === day.dataset.day) return;
    form.elements.day.value = day.dataset.day;
    form.requestSubmit();
  });
}
