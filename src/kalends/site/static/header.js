// The theme button, and menus such as that of the languages.

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

/** Menus are closed by Escape and by a click elsewhere. */
export function addMenus() {
  const menus = [...document.querySelectorAll("details:is(.menu, .filters)")];
  for (const menu of menus) {
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      menu.open = false;
      menu.querySelector("summary").focus();
    });
  }
  document.addEventListener("click", ({ target }) => {
    for (const menu of menus) if (!menu.contains(target)) menu.open = false;
  });
  // Switching the language keeps the fragment of the address.
  document.getElementById("languages").addEventListener("click", ({ target }) => {
    const link = target.closest("a");
    if (link) link.hash = location.hash;
  });
}
