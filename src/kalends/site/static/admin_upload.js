// Sends a picture to the calendar and returns it as the interface describes it, or null when it was refused. How much
// has arrived, and why it was not taken, is told within the field that it was chosen for; the form around waits for it.

import { untilDone } from "./admin_pending.js";
import { shrunk } from "./shrink.js";

/** `signal`: another picture was chosen, so this one is not asked for any more. */
export async function upload(chosen, field, signal) {
  const work = uploaded(chosen, field, signal);
  untilDone(
    field.closest("form"),
    work.then((stored) => stored !== null || Boolean(signal?.aborted))
  );
  return work;
}

async function uploaded(chosen, field, signal) {
  const problem = field.querySelector("[data-upload-problem]");
  tell(problem, "");
  if (!chosen.type.startsWith("image/")) return tell(problem, problem.dataset.notAnImage);
  const progress = field.querySelector("[data-upload-progress]");
  progress.hidden = false;
  try {
    const response = await sent(await shrunk(chosen), (part) => showPart(progress, part), signal);
    if (response.status === 201) return JSON.parse(response.responseText);
    const sentences = { 413: problem.dataset.tooLarge, 415: problem.dataset.notAnImage };
    return tell(problem, sentences[response.status] ?? JSON.parse(response.responseText).message);
  } catch {
    return signal?.aborted ? null : tell(problem, problem.dataset.offline);
  } finally {
    if (!signal?.aborted) {
      progress.hidden = true;
      showPart(progress, null);
    }
  }
}

/** The answer, as an XMLHttpRequest: fetch does not tell how much of a body has been sent. */
function sent(file, onProgress, signal) {
  signal?.throwIfAborted();
  const meta = (name) => document.querySelector(`meta[name=${name}]`).content;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `${meta("kalends-api")}/media`);
    request.setRequestHeader("Content-Type", file.type);
    const name = encodeURIComponent(file.name);
    request.setRequestHeader("Content-Disposition", `attachment; filename*=UTF-8''${name}`);
    request.setRequestHeader("X-Kalends-Token", meta("kalends-token"));
    request.upload.addEventListener("progress", (event) => onProgress(event.loaded / event.total));
    request.addEventListener("load", () => resolve(request));
    request.addEventListener("error", reject);
    request.addEventListener("abort", reject);
    signal?.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

/** `part`: from 0 to 1; null where it is not known. All of it has been sent when the calendar still looks at it. */
function showPart(container, part) {
  const [bar, words] = container.children;
  if (part === null || part >= 1) {
    bar.removeAttribute("value");
    words.textContent = "";
  } else {
    bar.value = Math.round(part * 100);
    words.textContent = new Intl.NumberFormat(document.documentElement.lang, { style: "percent" }).format(part);
  }
}

function tell(problem, sentence) {
  problem.textContent = sentence;
  problem.hidden = !sentence;
  return null;
}
