// A small rich-text editor around a textarea, which stays the field that the form sends.
//
// Formatting uses document.execCommand: every browser has it, it keeps the undo history, and an editor with its own
// document model would be many times the size of this admin.

import { chooseFromLibrary } from "./admin_library.js";
import { cleanHtml, textToHtml, withoutScripts } from "./admin_clean_html.js";

const EMPTY = "<p><br></p>"; // so that the first line is a paragraph, too

export function addRichText(field, uploadImage) {
  const textarea = field.querySelector("textarea");
  field.append(field.querySelector("template").content.cloneNode(true));
  const editor = {
    field,
    textarea,
    toolbar: field.querySelector("[role=toolbar]"),
    area: field.querySelector("[contenteditable]"),
    prompt: field.querySelector(".rich-text-prompt"),
    uploadImage,
    field,
    selection: null,
  };
  document.execCommand("defaultParagraphSeparator", false, "p");
  showHtml(editor);
  addTyping(editor);
  addToolbar(editor);
  addPrompt(editor);
  addPaste(editor);
  textarea.hidden = true;
  field.classList.add("is-rich");
  return editor;
}

/** From the textarea into the editor. */
function showHtml({ textarea, area }) {
  const html = textarea.value.trim();
  area.innerHTML = (/<[a-z]/i.test(html) ? withoutScripts(html) : textToHtml(html)) || EMPTY;
}

/** From the editor into the textarea, as the form sends it. */
function keepHtml({ textarea, area }) {
  const isEmpty = !area.textContent.trim() && !area.querySelector("img, hr");
  textarea.value = isEmpty ? "" : area.innerHTML.replaceAll(EMPTY, "").replaceAll("&nbsp;", " ");
  textarea.dispatchEvent(new Event("input", { bubbles: true }));
}

function addTyping(editor) {
  const { area, toolbar, textarea } = editor;
  textarea.form.addEventListener("kalends-restored", ({ detail }) => {
    if (detail.has(textarea.name)) showHtml(editor);
  });
  area.addEventListener("input", () => {
    if (!area.firstChild) area.innerHTML = EMPTY;
    keepHtml(editor); // execCommand causes this event too
  });
  document.addEventListener("selectionchange", () => {
    const selection = getSelection();
    if (!selection.rangeCount || !area.contains(selection.anchorNode)) return;
    editor.selection = selection.getRangeAt(0).cloneRange();
    showState(toolbar, area);
  });
  area.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      toolbar.querySelector("[data-prompt=link]").click();
    }
  });
}

function showState(toolbar, area) {
  for (const button of toolbar.querySelectorAll("[data-command]")) {
    const { command, value } = button.dataset;
    const isOn = value
      ? document.queryCommandValue("formatBlock").toLowerCase() === value
      : document.queryCommandState(command);
    button.setAttribute("aria-pressed", String(isOn));
  }
  const link = linkAt(area);
  toolbar.querySelector("[data-prompt=link]").setAttribute("aria-pressed", String(Boolean(link)));
}

function linkAt(area) {
  const node = getSelection().anchorNode;
  const element = node?.nodeType === Node.ELEMENT_NODE ? node : node?.parentElement;
  return area.contains(node) ? element.closest("a") : null;
}

function addToolbar(editor) {
  const { toolbar, area } = editor;
  const buttons = [...toolbar.querySelectorAll("button")];
  // One stop for the tab key; arrows move within the toolbar.
  buttons.forEach((button, index) => (button.tabIndex = index ? -1 : 0));
  toolbar.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const direction = getComputedStyle(toolbar).direction === "rtl" ? -step : step;
    const next = buttons.at((buttons.indexOf(document.activeElement) + direction) % buttons.length);
    buttons.forEach((button) => (button.tabIndex = button === next ? 0 : -1));
    next.focus();
  });
  toolbar.addEventListener("mousedown", (event) => event.preventDefault()); // the selection stays in the text
  toolbar.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.command) runCommand(editor, button.dataset);
    if (button.dataset.view) switchView(editor, button);
    if (button.dataset.prompt) openPrompt(editor, button.dataset.prompt);
    showState(toolbar, area);
  });
}

function runCommand(editor, { command, value }) {
  restoreSelection(editor);
  const isOn = value && document.queryCommandValue("formatBlock").toLowerCase() === value;
  document.execCommand(command, false, isOn ? "p" : (value ?? null));
}

function restoreSelection({ area, selection }) {
  area.focus();
  if (!selection) return;
  getSelection().removeAllRanges();
  getSelection().addRange(selection);
}

function switchView(editor, button) {
  const { textarea, area, toolbar } = editor;
  const isHtml = area.hidden;
  if (isHtml) showHtml(editor);
  area.hidden = !isHtml;
  textarea.hidden = isHtml;
  button.setAttribute("aria-pressed", String(!isHtml));
  for (const other of toolbar.querySelectorAll("button")) other.disabled = !isHtml && other !== button;
  (isHtml ? area : textarea).focus();
}

function openPrompt(editor, kind) {
  const { prompt, area } = editor;
  const input = prompt.querySelector("input[type=url]");
  prompt.hidden = false;
  prompt.dataset.kind = kind;
  input.value = kind === "link" ? (linkAt(area)?.getAttribute("href") ?? "") : "";
  prompt.querySelector("[data-remove]").hidden = kind !== "link" || !input.value;
  const canUpload = kind === "image" && Boolean(editor.uploadImage);
  prompt.querySelector("[data-file]").hidden = !canUpload;
  prompt.querySelector("[data-from-library]").hidden = !canUpload || !document.getElementById("library");
  const alt = prompt.querySelector("[data-alt]");
  alt.hidden = kind !== "image";
  alt.querySelector("input").value = "";
  input.focus();
}

function addPrompt(editor) {
  const { prompt } = editor;
  const input = prompt.querySelector("input[type=url]");
  const alt = prompt.querySelector("[data-alt] input");
  const file = prompt.querySelector("input[type=file]");
  const close = () => {
    prompt.hidden = true;
    restoreSelection(editor);
  };
  const apply = () => {
    close();
    const address = completeAddress(input.value);
    if (!address) return;
    if (prompt.dataset.kind === "image") insertImage(editor, { url: address }, alt.value.trim());
    else insertLink(address, input.value.trim());
  };
  prompt.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    if (event.key !== "Enter" || event.target !== input) return;
    event.preventDefault();
    apply();
  });
  prompt.querySelector("[data-apply]").addEventListener("click", apply);
  prompt.querySelector("[data-remove]").addEventListener("click", () => {
    close();
    document.execCommand("unlink");
  });
  file?.addEventListener("change", async () => {
    close();
    if (file.files[0]) await insertImageFile(editor, file.files[0], alt.value.trim());
    file.value = "";
  });
  prompt.querySelector("[data-from-library]").addEventListener("click", () => {
    chooseFromLibrary((chosen) => {
      close();
      insertImage(editor, chosen, alt.value.trim() || chosen.alt);
    });
  });
}

function insertLink(address, text) {
  if (!getSelection().isCollapsed) return document.execCommand("createLink", false, address);
  const link = document.createElement("a");
  link.href = address;
  link.textContent = text;
  document.execCommand("insertHTML", false, link.outerHTML);
}

/** "example.org" is meant as an address of the web, "me@example.org" as one of mail. */
function completeAddress(text) {
  const address = text.trim();
  if (!address || /^(javascript|data|vbscript):/i.test(address)) return "";
  if (/^(https?:|mailto:|tel:|\/)/i.test(address)) return address;
  return /^[^\s@/]+@[^\s@/]+$/.test(address) ? `mailto:${address}` : `https://${address}`;
}

function addPaste(editor) {
  const { area } = editor;
  const insert = async (event, data) => {
    const image = [...data.files].find((file) => file.type.startsWith("image/"));
    const html = data.getData("text/html");
    if (!image && !html && !data.getData("text/plain")) return;
    event.preventDefault();
    if (image && editor.uploadImage && !html) return insertImageFile(editor, image);
    const clean = html ? cleanHtml(html) : textToHtml(data.getData("text/plain"));
    // One paragraph continues the line that it is pasted into.
    document.execCommand("insertHTML", false, clean.replace(/^<p>((?:(?!<p[ >]).)*)<\/p>$/s, "$1"));
  };
  area.addEventListener("paste", (event) => insert(event, event.clipboardData));
  area.addEventListener("drop", (event) => insert(event, event.dataTransfer));
}

async function insertImageFile(editor, file, alt = "") {
  const image = await editor.uploadImage(file, editor.field);
  if (image) insertImage(editor, image, alt);
}

function insertImage(editor, { url, width, height }, alt) {
  restoreSelection(editor);
  const element = document.createElement("img");
  Object.assign(element, { src: url, alt }, width ? { width, height } : {});
  document.execCommand("insertHTML", false, element.outerHTML);
}
