// Copies an address, and opens the system's share sheet where there is one.

document.addEventListener("click", async ({ target }) => {
  const button = target.closest?.("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // pages without encryption have no clipboard
  }
  const words = button.textContent;
  button.textContent = button.dataset.copied;
  setTimeout(() => (button.textContent = words), 2000);
});

const system = document.getElementById("system-share");
if (system && navigator.share) {
  system.hidden = false;
  system.addEventListener("click", () => {
    const url = document.getElementById("share-address").value;
    navigator.share({ title: document.title, url }).catch(() => undefined); // the reader changed their mind
  });
}
