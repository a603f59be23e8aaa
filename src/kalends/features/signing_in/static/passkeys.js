// Passkeys: a form that is sent with what an authenticator answers to its challenge. What else there is to send, such
// as where to go afterwards, is in the other form of the page.

const binary = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
const encoded = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const known = (list = []) => list.map((one) => ({ ...one, id: binary(one.id) }));
const TYPED = ["name", "password", "code", "challenge", "answer"];

async function ask(options) {
  const publicKey = { ...options, challenge: binary(options.challenge) };
  if (!options.user) {
    publicKey.allowCredentials = known(options.allowCredentials);
    return navigator.credentials.get({ publicKey });
  }
  publicKey.user = { ...options.user, id: binary(options.user.id) };
  publicKey.excludeCredentials = known(options.excludeCredentials);
  return navigator.credentials.create({ publicKey });
}

function answerOf({ id, type, response }) {
  const names = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const parts = names.filter((name) => response[name]).map((name) => [name, encoded(response[name])]);
  return JSON.stringify({ id, rawId: id, type, response: Object.fromEntries(parts) });
}

function takeAlong(form) {
  const other = [...document.querySelectorAll("main form")].find((one) => one.querySelector("[name=password], [name=code]"));
  if (!other || other === form) return;
  form.enctype = other.enctype;
  for (const [name, value] of new FormData(other)) {
    if (TYPED.includes(name) || form.elements[name]) continue;
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    form.append(field);
  }
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  const [button, line] = [form.querySelector("button"), form.querySelector(".summary")];
  const say = (sentence) => {
    line.textContent = sentence;
    line.hidden = !sentence;
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    delete form.dataset.sent; // it was not (admin.js)
    if (!window.PublicKeyCredential) return say(form.dataset.unsupported);
    if (!form.reportValidity()) return;
    say("");
    button.disabled = true;
    try {
      const from = form.dataset.from;
      const asked = from ? await (await fetch(from, { cache: "no-store" })).json() : form.dataset;
      form.elements.challenge.value = asked.challenge;
      form.elements.answer.value = answerOf(await ask(JSON.parse(asked.options)));
      takeAlong(form);
      form.submit();
    } catch (error) {
      say(error.name === "InvalidStateError" ? form.dataset.known : form.dataset.failed);
      button.disabled = false;
    }
  });
}
