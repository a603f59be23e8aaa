// The reading room comes alive: searching, trying, the place in the contents, light and language.

import { addLanguages, addLight } from "./masthead.js";
import { addSearch } from "./searching.js";
import { addTrying } from "./trying.js";

/** The contents show where one reads. */
function addPlace() {
  const seen = new Set();
  let marked = null;
  const watch = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) seen[isIntersecting ? "add" : "delete"](target.id);
      const first = [...document.querySelectorAll("article.entry")].find((entry) => seen.has(entry.id));
      const link = first && document.querySelector(`.contents [data-entry="${first.id}"] a`);
      if (!link || link === marked) return;
      marked?.removeAttribute("aria-current");
      link.setAttribute("aria-current", "location");
      link.scrollIntoView({ block: "nearest" });
      marked = link;
    },
    { rootMargin: "-10% 0px -60% 0px" },
  );
  for (const entry of document.querySelectorAll("article.entry")) watch.observe(entry);
}

addLight();
addLanguages();
addSearch();
addTrying();
addPlace();
