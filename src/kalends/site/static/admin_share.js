// The builder of the embedded calendar: what is chosen changes the code and the preview at once.

const form = document.getElementById("embed-form");
let latest = 0;

form.addEventListener("change", async () => {
  const number = ++latest;
  const chosen = [...new FormData(form)].filter(([, value]) => value);
  const address = `${location.pathname}?${new URLSearchParams(chosen)}`;
  const response = await fetch(address);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const found = ["embed-code", "embed-preview"].map((id) => page.getElementById(id));
  if (number !== latest || found.includes(null)) return;
  document.getElementById("embed-code").textContent = found[0].textContent;
  document.getElementById("embed-preview").replaceChildren(...found[1].children);
  history.replaceState(null, "", address);
});
