// The theme button and the language menu in the header.

const root = document.documentElement;

export function addTheme() {
  const button = document.getElementById("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  // The button says what it will do.
  const show = () => {
    button.querySelector(".words").textContent = isDark() ? button.dataset.light : button.dataset.dark;
  };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    show();
    try {
      localStorage.setItem("kalends-theme", root.dataset.theme);
    } catch {
      // Without storage the choice lasts for this page only.
    }
  });
  system.addEventListener("change", show);
  show();
}

export function addLanguages() {
  const menu = document.getElementById("languages");
  // Switching the language keeps the fragment of the address.
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
