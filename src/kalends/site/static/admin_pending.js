// A form is sent when what its scripts have begun is done, such as an upload or a save in the background: a picture that
// is still on its way is stored once and belongs to what is saved.

const forms = new WeakMap(); // form → { works, submitter, isWaiting }

/** `work`: a promise of whether the form may be sent after it. */
export function untilDone(form, work) {
  const { works } = forms.get(form) ?? watched(form);
  works.add(work);
  const done = () => works.delete(work);
  work.then(done, done);
  return work;
}

export function isPending(form) {
  return Boolean(forms.get(form)?.works.size);
}

function watched(form) {
  const pending = { works: new Set(), submitter: null, isWaiting: false };
  forms.set(form, pending);
  // On the way down: the other listeners hear of it only when it is really sent.
  document.addEventListener(
    "submit",
    (event) => {
      if (event.target !== form || !pending.works.size) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      pending.submitter = event.submitter;
      if (!pending.isWaiting) sendLater(form, pending);
    },
    { capture: true }
  );
  return pending;
}

async function sendLater(form, pending) {
  pending.isWaiting = true;
  tell(form, "waiting");
  let isReady = true;
  while (pending.works.size) {
    const outcomes = await Promise.allSettled(pending.works);
    isReady &&= outcomes.every(({ status, value }) => status === "fulfilled" && value);
    await new Promise((resume) => setTimeout(resume)); // what waits for the same promises comes first
  }
  pending.isWaiting = false;
  tell(form, isReady ? "saving" : "changed");
  if (isReady) form.requestSubmit(pending.submitter);
}

function tell(form, what) {
  const status = form.querySelector("[data-save-status]");
  status.textContent = status.dataset[what] ?? "";
}
