// The button that prints a sheet.

document.querySelector("[data-print]").addEventListener("click", () => window.print());
