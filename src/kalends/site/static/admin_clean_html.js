// Reduces pasted HTML to the tags that the server keeps. Understands what Word and Google Docs put on the clipboard.

const KEPT = new Set(
  "P BR HR H2 H3 H4 A STRONG EM U S SUB SUP UL OL LI BLOCKQUOTE CODE PRE FIGURE FIGCAPTION IMG".split(" ")
);
const RENAMED = { B: "STRONG", I: "EM", STRIKE: "S", DEL: "S", H1: "H2", H5: "H4", H6: "H4", DIV: "P" };
const DROPPED = new Set("SCRIPT STYLE HEAD META LINK TITLE TEMPLATE IFRAME OBJECT SVG NOSCRIPT XML".split(" "));
const BLOCKS = new Set("P H2 H3 H4 UL OL BLOCKQUOTE PRE FIGURE HR TABLE".split(" "));
const ATTRIBUTES = { A: ["href", "title"], IMG: ["src", "alt", "width", "height"] };
const SAFE_LINK = /^(https?:|mailto:|tel:|[/#?]|[^:]*$)/i;

export function cleanHtml(html) {
  const source = parse(html);
  joinWordLists(source);
  const result = document.createElement("div");
  copyChildren(source, result);
  for (const block of result.querySelectorAll("p, li, h2, h3, h4, blockquote")) {
    if (!block.textContent.trim() && !block.querySelector("img, br")) block.remove();
  }
  return result.innerHTML.trim();
}

/** Styles are read as data: the security policy of the page would refuse them, with a line in the console for each. */
function parse(html) {
  const inert = html.replace(/<style\b.*?<\/style\s*>/gis, "").replace(/(<[^>]*\s)style\s*=/gi, "$1data-style=");
  return new DOMParser().parseFromString(inert, "text/html").body;
}

/** Everything but what could run. The server cleans what it stores; this is for text that it has refused. */
export function withoutScripts(html) {
  const body = parse(html);
  for (const element of body.querySelectorAll("*")) {
    if (DROPPED.has(element.tagName)) element.remove();
    for (const { name, value } of [...element.attributes]) {
      const isLink = name === "href" || name === "src";
      if (name.startsWith("on") || (isLink && !SAFE_LINK.test(value.trim()))) element.removeAttribute(name);
    }
  }
  return body.innerHTML;
}

/** Plain text as paragraphs: an empty line begins a new one. */
export function textToHtml(text) {
  const box = document.createElement("div");
  return text
    .replace(/\r\n?/g, "\n")
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim())
    .map((paragraph) => {
      box.textContent = paragraph.trim();
      return `<p>${box.innerHTML.replaceAll("\n", "<br>")}</p>`;
    })
    .join("");
}

function copyChildren(source, target) {
  for (const node of source.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) target.append(node.data.replace(/[\t\n\r ]+/g, " "));
    else if (node.nodeType === Node.ELEMENT_NODE) copyElement(node, target);
  }
}

function copyElement(node, target) {
  const name = RENAMED[node.tagName] ?? node.tagName;
  if (DROPPED.has(node.tagName) || node.tagName.includes(":")) return;
  if (isPlainWrapper(node, name, target)) return copyChildren(node, target);
  const copy = document.createElement(name);
  for (const attribute of ATTRIBUTES[name] ?? []) {
    const value = node.getAttribute(attribute);
    if (value && (attribute === "title" || attribute === "alt" || SAFE_LINK.test(value.trim()))) {
      copy.setAttribute(attribute, value.trim());
    }
  }
  if (name === "IMG" && !/^(https?:|\/)/i.test(copy.getAttribute("src") ?? "")) return;
  let inner = copy;
  for (const emphasis of emphasisOf(node, name)) inner = inner.appendChild(document.createElement(emphasis));
  copyChildren(node, inner);
  target.append(copy.tagName === "SPAN" ? unwrapped(copy) : copy);
}

/** Elements whose content counts and not they themselves. */
function isPlainWrapper(node, name, target) {
  if (name === "STRONG" && /font-weight:\s*normal/i.test(styleOf(node))) return true; // the wrapper of Google Docs
  if (name === "SPAN" || name === "FONT") return !emphasisOf(node, "SPAN").length;
  if (name === "P") return target.closest("li, p, h2, h3, h4") !== null || hasBlocks(node);
  return !KEPT.has(name);
}

function hasBlocks(node) {
  return [...node.children].some((child) => BLOCKS.has(RENAMED[child.tagName] ?? child.tagName));
}

function emphasisOf(node, name) {
  if (name !== "SPAN" && name !== "FONT") return [];
  const isBold = /font-weight:\s*(bold|[6-9]00)/i.test(styleOf(node));
  const isItalic = /font-style:\s*italic/i.test(styleOf(node));
  return [...(isBold ? ["strong"] : []), ...(isItalic ? ["em"] : [])];
}

function styleOf(node) {
  return node.dataset?.style ?? "";
}

function unwrapped(span) {
  const content = document.createDocumentFragment();
  content.append(...span.childNodes);
  return content;
}

/** Word writes lists as paragraphs with a bullet or number in front. */
function joinWordLists(body) {
  let list = null;
  for (const paragraph of [...body.querySelectorAll("p")]) {
    if (!/mso-list:\s*(?!none)/i.test(styleOf(paragraph))) {
      list = null;
      continue;
    }
    const marker = paragraph.querySelector('[data-style*="mso-list:Ignore" i]');
    const isNumbered = /^\s*\(?[0-9a-z]{1,3}[.)]/i.test(marker?.textContent ?? "");
    marker?.remove();
    if (!list || paragraph.previousElementSibling !== list) {
      list = document.createElement(isNumbered ? "ol" : "ul");
      paragraph.before(list);
    }
    const item = document.createElement("li");
    item.append(...paragraph.childNodes);
    list.append(item);
    paragraph.remove();
  }
}
