// Scripts of the API reference: search, "Try it", current entry in the contents, theme and language.

import { addMenus, addTheme } from "./header.js";
import { addSearch } from "./docs_search.js";
import { addTryForms } from "./try_form.js";

/** Marks the entry in view in the contents. */
function trackCurrentEntry() {
  const visible = new Set();
  let marked = null;
  const observer = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) visible[isIntersecting ? "add" : "delete"](target.id);
      const first = [...document.querySelectorAll("article.entry")].find((entry) => visible.has(entry.id));
      const link = first && document.querySelector(`.contents [data-entry="${first.id}"] a`);
      if (!link || link === marked) return;
      marked?.removeAttribute("aria-current");
      link.setAttribute("aria-current", "location");
      link.scrollIntoView({ block: "nearest" });
      marked = link;
    },
    { rootMargin: "-10% 0px -60% 0px" },
  );
  for (const entry of document.querySelectorAll("article.entry")) observer.observe(entry);
}

addTheme();
addMenus();
addSearch();
addTryForms();
trackCurrentEntry();
