// The controls of a recurring event: only those that the preset uses, and a preview of the next dates.

const PAUSE = 300;

export function addRepeats(form) {
  const field = form.querySelector("[data-repeats]");
  if (!field) return;
  const preset = form.elements.repeat;
  const show = () => {
    for (const part of field.querySelectorAll("[data-for]")) {
      part.hidden = !part.dataset.for.split(" ").includes(preset.value);
    }
    const end = field.querySelector("[name=repeat_end]:checked")?.value;
    for (const part of field.querySelectorAll("[data-end]")) part.disabled = part.dataset.end !== end;
  };
  let timer;
  let request = new AbortController();
  const preview = async () => {
    request.abort();
    request = new AbortController();
    const output = field.querySelector("[data-preview]");
    if (preset.value === "none") return output.replaceChildren();
    const query = new URLSearchParams(
      [...new FormData(form)].filter(([name, value]) => /^(repeat|start_|end_|all_day|timezone)/.test(name) && value)
    );
    query.set("lang", document.documentElement.lang);
    try {
      const response = await fetch(`${field.dataset.repeats}?${query}`, { signal: request.signal });
      const part = new DOMParser().parseFromString(await response.text(), "text/html");
      output.replaceChildren(...part.body.childNodes);
    } catch (error) {
      if (error.name !== "AbortError") output.replaceChildren();
    }
  };
  form.addEventListener("input", (event) => {
    if (!/^(repeat|start_|end_|all_day|timezone)/.test(event.target.name ?? "")) return;
    show();
    clearTimeout(timer);
    timer = setTimeout(preview, PAUSE);
  });
  show();
  preview();
}
