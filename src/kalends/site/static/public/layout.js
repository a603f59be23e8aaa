// Scripts of every calendar page: theme, language and sharing.

import "./share.js";
import { addMenus, addTheme } from "./header.js";
import { addSuggestions } from "./suggestions.js";

addTheme();
addMenus();
addSuggestions();

// Browsers without popovers.
if (!("popover" in HTMLElement.prototype)) {
  document.addEventListener("click", ({ target }) => {
    const name = target.closest("[popovertarget]")?.getAttribute("popovertarget");
    for (const one of document.querySelectorAll("[popover]")) {
      const isWanted = one.id === name && !one.classList.contains("is-open");
      if (!one.contains(target) || name) one.classList.toggle("is-open", isWanted);
    }
  });
}

// What was read stays readable offline. The worker lies beside the manifest, at the root of the site.
const manifest = document.querySelector("link[rel=manifest]");
if (manifest && navigator.serviceWorker) {
  addEventListener("load", () => {
    navigator.serviceWorker.register(new URL("service-worker.js", manifest.href)).catch(() => undefined);
  });
}
