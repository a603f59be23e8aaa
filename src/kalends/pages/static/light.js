// Runs before the page is drawn: says that scripts run, and keeps the light that the reader chose.
// Only the word "light" or "dark" is kept, in the browser; nothing is sent.
"use strict";

document.documentElement.dataset.script = "";
try {
  const chosen = localStorage.getItem("kalends-light");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.light = chosen;
} catch {
  // A browser that keeps nothing follows the system.
}
