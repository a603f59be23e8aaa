// The search: shows the entries with every word, and of their rows those with at least one.

const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

export function addSearch() {
  const input = document.getElementById("search");
  const found = document.getElementById("found");
  const nothing = document.getElementById("nothing");
  const entries = [...document.querySelectorAll("article.entry")].map((element) => ({
    element,
    // The labels of the buttons would match everywhere.
    text: folded([...element.children].filter((child) => !child.matches(".needs-script")).map((child) => child.textContent).join(" ")),
    heading: folded([...element.querySelectorAll("h3, .signature")].map((part) => part.textContent).join(" ")),
    rows: [...element.querySelectorAll(".row")].map((row) => ({ row, text: folded(row.textContent) })),
    blocks: [...element.querySelectorAll("details.block")].map((block) => ({ block, wasOpen: block.open })),
    link: document.querySelector(`.contents [data-entry="${element.id}"]`),
  }));
  const groups = [...document.querySelectorAll("section.group")].map((section) => ({
    section,
    link: document.querySelector(`.contents [data-group="${section.id}"]`),
  }));
  const intro = document.querySelector(".intro");

  function search() {
    const words = folded(input.value).split(/\s+/).filter(Boolean);
    let count = 0;
    for (const entry of entries) {
      const stays = words.every((word) => entry.text.includes(word));
      count += stays;
      entry.element.hidden = !stays;
      if (entry.link) entry.link.hidden = !stays;
      if (stays) narrow(entry, words);
    }
    for (const { section, link } of groups) {
      section.hidden = !section.querySelector("article.entry:not([hidden])");
      link.hidden = section.hidden;
    }
    intro.hidden = words.length > 0;
    nothing.hidden = count > 0;
    found.textContent = !words.length ? "" : count ? found.dataset.found.replace("{count}", count) : found.dataset.nothing;
  }

  /** Hides the rows without any of the words that the heading does not contain. */
  function narrow(entry, words) {
    const open = words.filter((word) => !entry.heading.includes(word));
    for (const { row, text } of entry.rows) row.hidden = open.length > 0 && !open.some((word) => text.includes(word));
    for (const { block, wasOpen } of entry.blocks) {
      const rows = block.querySelector(".row:not([hidden])") !== null;
      block.hidden = !rows;
      block.open = open.length > 0 ? rows : wasOpen;
    }
  }

  input.addEventListener("input", search);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !input.value) return;
    input.value = "";
    search();
  });
  // A link to an entry hidden by the search clears the search.
  addEventListener("hashchange", () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target?.closest("[hidden]")) return;
    input.value = "";
    search();
    target.scrollIntoView();
  });
  if (input.value) search();
}
