// Sends a picture to the calendar and returns it as the interface describes it, or null when it was refused. Why is
// told within the field that it was chosen for.

import { shrunk } from "./shrink.js";

export async function upload(chosen, field) {
  const problem = field.querySelector("[data-upload-problem]");
  tell(problem, "");
  if (!chosen.type.startsWith("image/")) return tell(problem, problem.dataset.notAnImage);
  const file = await shrunk(chosen);
  const meta = (name) => document.querySelector(`meta[name=${name}]`).content;
  try {
    const response = await fetch(`${meta("kalends-api")}/media`, {
      method: "POST",
      headers: {
        "Content-Type": file.type,
        "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
        "X-Kalends-Token": meta("kalends-token"),
      },
      body: file,
    });
    if (response.ok) return await response.json();
    const sentences = { 413: problem.dataset.tooLarge, 415: problem.dataset.notAnImage };
    return tell(problem, sentences[response.status] ?? (await response.json()).message);
  } catch {
    return tell(problem, problem.dataset.offline);
  }
}

function tell(problem, sentence) {
  problem.textContent = sentence;
  problem.hidden = !sentence;
  return null;
}
