// Light and language, in the bar on top of every page.

const root = document.documentElement;

export function addLight() {
  const button = document.getElementById("light");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.light ? root.dataset.light === "dark" : system.matches);
  const show = () => button.setAttribute("aria-pressed", String(isDark()));
  button.addEventListener("click", () => {
    root.dataset.light = isDark() ? "light" : "dark";
    show();
    try {
      localStorage.setItem("kalends-light", root.dataset.light);
    } catch {
      // It holds for this page, then.
    }
  });
  system.addEventListener("change", show);
  show();
}

export function addLanguages() {
  const menu = document.getElementById("languages");
  // Another language keeps the place.
  menu.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (link) link.hash = location.hash;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  document.addEventListener("click", (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
}
