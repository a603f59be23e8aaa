// Says that the editor of an event is open, and shows who else has it open, again and again while it is in sight.

const line = document.querySelector("[data-editing]");
const token = document.querySelector("meta[name=kalends-token]").content;

async function say() {
  if (document.visibilityState === "hidden") return;
  try {
    const body = new URLSearchParams({ token });
    const response = await fetch(line.dataset.editing, { method: "POST", headers: { Accept: "application/json" }, body });
    if (!response.ok || response.redirected) return;
    const { sentence } = await response.json();
    if (line.textContent === sentence) return; // a screen reader is told of changes only
    line.hidden = !sentence;
    line.firstElementChild.textContent = sentence;
  } catch {
    // Without a connection, what was known is shown.
  }
}

say();
setInterval(say, Number(line.dataset.seconds) * 1_000);
document.addEventListener("visibilitychange", say);
addEventListener("pagehide", () => navigator.sendBeacon(line.dataset.editing, new URLSearchParams({ token, left: "1" })));
