// "Try it": a form for the parameters of an operation, the request it sends, and the response.
// The token is kept in this module only: not in the address, not in any storage.

import { curl, send as sendRequest } from "./try_request.js";

let token = "";

export function addTryForms() {
  for (const button of document.querySelectorAll("button.try")) {
    button.addEventListener("click", () => toggle(button));
  }
}

function toggle(button) {
  const entry = button.closest("article");
  let form = entry.querySelector("form.try-form");
  if (!form) {
    form = makeForm(entry);
    entry.append(form);
    form.hidden = true;
  }
  form.hidden = !form.hidden;
  button.setAttribute("aria-expanded", String(!form.hidden));
  if (form.hidden) return;
  form.querySelector(".token input").value = token;
  form.querySelector("input, select, textarea").focus();
}

function makeForm(entry) {
  const form = document.getElementById("try-form-template").content.firstElementChild.cloneNode(true);
  const inputs = form.querySelector(".inputs");
  for (const row of entry.querySelectorAll(".row[data-name]")) inputs.append(makeInput(row, entry.id, form.dataset.none));
  form.querySelector(".nested").hidden = !inputs.querySelector("[data-place=body]");
  const methods = entry.dataset.methods.split(" ");
  const choice = form.elements.method;
  choice.append(...methods.map((method) => new Option(method)));
  choice.closest("label").hidden = methods.length < 2;
  form.querySelector(".token input").addEventListener("input", (event) => {
    token = event.target.value.trim();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form, entry);
  });
  return form;
}

function makeInput(row, id, none) {
  const { name, place, input: kind } = row.dataset;
  const label = document.createElement("label");
  const title = document.createElement("span");
  const code = document.createElement("code");
  code.textContent = name;
  title.append(code);
  if ("required" in row.dataset) {
    const needed = document.createElement("span");
    needed.className = "needed";
    needed.textContent = ` ${row.querySelector(".required").textContent}`;
    title.append(needed);
  }
  const field = makeField(kind, row, none);
  field.id = `${id}-${place}-${name}`;
  Object.assign(field.dataset, { name, place, kind });
  field.required = "required" in row.dataset;
  field.autocomplete = "off";
  field.spellcheck = false;
  if (kind === "long") label.className = "long";
  label.append(title, field);
  return label;
}

function makeField(kind, row, none) {
  if (kind === "flag" || kind === "choice") {
    const select = document.createElement("select");
    const words = kind === "flag" ? ["true", "false"] : row.dataset.choices.split(" ");
    select.append(new Option(none, ""), ...words.map((word) => new Option(word)));
    return select;
  }
  if (kind === "long") return document.createElement("textarea");
  const input = document.createElement("input");
  input.type = kind === "file" ? "file" : kind === "secret" ? "password" : "text";
  if (kind === "number") input.inputMode = "decimal";
  input.placeholder = row.dataset.default ?? (kind === "date" ? "2027-03-10 09:00" : "");
  return input;
}

async function send(form, entry) {
  const button = form.querySelector("button[type=submit]");
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  const fields = [...form.querySelectorAll(".inputs [data-name]")];
  const request = { method: form.elements.method.value, path: entry.dataset.path, fields, token };
  const output = form.querySelector(".response");
  form.querySelector(".request").textContent = curl(request);
  const status = output.querySelector("h5 .status");
  try {
    const response = await sendRequest(request);
    status.textContent = response.status;
    status.classList.toggle("failed", !response.ok);
    output.querySelector(".duration").textContent = `${response.milliseconds} ms`;
    output.querySelector(".headers pre").textContent = response.headers;
    output.querySelector(".body").textContent = response.body;
  } catch {
    status.textContent = "—";
    status.classList.add("failed");
    output.querySelector(".duration").textContent = "";
    output.querySelector(".headers pre").textContent = "";
    output.querySelector(".body").textContent = form.dataset.unreachable;
  }
  output.hidden = false;
  button.removeAttribute("aria-disabled");
}
