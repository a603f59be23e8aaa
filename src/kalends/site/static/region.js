// How the reader's region writes the language of the page: "en-GB" where the page is in English. The digits and the
// calendar are those of the rest of the page.

/** The clock of the page, which may be another than that of the reader's region. */
export const pageClock = () => ({ hourCycle: document.documentElement.dataset.clock });

export function regionalLanguage() {
  const shown = document.documentElement.lang;
  const found = navigator.languages.find((tag) => tag.split("-")[0] === shown.split("-")[0]) ?? shown;
  return new Intl.Locale(found, { numberingSystem: "latn", calendar: "gregory" });
}
