// Scripts of every page of the admin: theme, focus on errors, the current tab, buttons that copy, passwords that are
// shown, forms that are sent once.

import { addTheme } from "./header.js";

if (document.getElementById("theme")) addTheme();

document.querySelector("[data-focus]")?.focus();

// Behind a proxy that rewrites what the browser asked for, the server cannot know where the browser is.
const elsewhere = document.querySelector("[data-elsewhere]");
if (elsewhere && new URL(elsewhere.dataset.elsewhere).origin === location.origin) elsewhere.remove();

// On a phone the tabs are one row: the current one is in sight.
const row = document.querySelector(".tabs");
const current = row?.querySelector("[aria-current]");
if (current) row.scrollLeft = current.offsetLeft - (row.clientWidth - current.offsetWidth) / 2;

for (const button of document.querySelectorAll("button[data-copy]")) {
  button.addEventListener("click", async () => {
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent.trim());
      button.textContent = button.dataset.copied;
      setTimeout(() => (button.textContent = label), 2000);
    } catch {
      getSelection().selectAllChildren(document.getElementById(button.dataset.copy));
    }
  });
}

for (const button of document.querySelectorAll("button[data-show-password]")) {
  const field = document.getElementById(button.dataset.showPassword);
  const show = (isShown) => {
    field.type = isShown ? "text" : "password";
    button.setAttribute("aria-pressed", String(isShown));
  };
  button.addEventListener("click", () => show(field.type === "password"));
  field.form?.addEventListener("submit", () => show(false)); // so that the browser knows what it may keep
}

// A second click on a slow line must not save twice.
for (const form of document.querySelectorAll("form[method=post]:not([data-download])")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "1";
    addEventListener("pageshow", () => delete form.dataset.sent, { once: true });
  });
}
