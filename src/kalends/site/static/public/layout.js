// Scripts of every calendar page: theme, language and sharing.

import "./share.js";
import { addMenus, addTheme } from "./header.js";
import { addSuggestions } from "./suggestions.js";

addTheme();
addMenus();
addSuggestions();

// What was read stays readable offline. The worker lies beside the manifest, at the root of the site.
const manifest = document.querySelector("link[rel=manifest]");
if (manifest && navigator.serviceWorker) {
  addEventListener("load", () => {
    navigator.serviceWorker.register(new URL("service-worker.js", manifest.href)).catch(() => undefined);
  });
}
