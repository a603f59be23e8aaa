// The reading room comes alive: searching, trying, the place in the contents, light and language.

import { addSearch } from "./searching.js";
import { addTrying } from "./trying.js";

const root = document.documentElement;

function addLight() {
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

function addLanguages() {
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
