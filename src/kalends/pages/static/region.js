// How the reader's region writes the language of the page: "en-GB" where the page is in English.

export function regionalLanguage() {
  const shown = document.documentElement.lang;
  return navigator.languages.find((tag) => tag.split("-")[0] === shown.split("-")[0]) ?? shown;
}
