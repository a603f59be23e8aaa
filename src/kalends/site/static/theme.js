// Runs before the first paint: marks that scripts run, and applies the stored theme.
// Only "light" or "dark" is stored, in the browser; nothing is sent.
"use strict";

document.documentElement.dataset.script = "";
try {
  const chosen = localStorage.getItem("kalends-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Without storage the theme follows the system.
}
