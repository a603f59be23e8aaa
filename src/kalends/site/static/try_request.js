// Requests to the server of this page, built from the filled-in fields of a form.

const { ns, path: root } = document.body.dataset;

const filled = (fields, place) => fields.filter((field) => field.dataset.place === place && field.value !== "");

function address(base, { path, fields }) {
  // An empty path field stays a placeholder, so that the server can report what is missing.
  const named = path.replace(/\{(\w+)\}/g, (placeholder, name) => {
    const field = fields.find((one) => one.dataset.place === "path" && one.dataset.name === name);
    return field?.value ? encodeURIComponent(field.value.trim()) : encodeURIComponent(placeholder);
  });
  const query = new URLSearchParams(filled(fields, "query").map((field) => [field.dataset.name, field.value]));
  return base + (named === "/" ? "" : named) + (query.size ? `?${query}` : "");
}

/** A field as a JSON value: objects and arrays are parsed, everything else is text or a boolean. */
function value(field) {
  const written = field.value;
  if (field.dataset.kind === "flag") return written === "true";
  if (/^\s*[[{]/.test(written) && field.dataset.kind === "text") {
    try {
      return JSON.parse(written);
    } catch {
      return written;
    }
  }
  return written;
}

function json({ fields }) {
  return Object.fromEntries(filled(fields, "body").map((field) => [field.dataset.name, value(field)]));
}

const file = ({ fields }) => fields.find((field) => field.type === "file");

function body(request) {
  const upload = file(request);
  if (upload) {
    const form = new FormData();
    if (upload.files[0]) form.append(upload.dataset.name, upload.files[0]);
    return form;
  }
  return JSON.stringify(json(request));
}

const hasBody = ({ method }) => !["GET", "DELETE"].includes(method);

export async function send(request) {
  const headers = { "Accept-Language": document.documentElement.lang };
  if (request.token) headers.Authorization = `Bearer ${request.token}`;
  if (hasBody(request) && !file(request)) headers["Content-Type"] = "application/json";
  const started = performance.now();
  const response = await fetch(address(root, request), {
    method: request.method,
    headers,
    body: hasBody(request) ? body(request) : undefined,
    cache: "no-store",
    credentials: "omit",
    referrerPolicy: "no-referrer",
  });
  const text = await response.text();
  return {
    ok: response.ok,
    status: `${response.status} ${response.statusText}`.trim(),
    milliseconds: Math.round(performance.now() - started),
    headers: [...response.headers].map(([name, held]) => `${name}: ${held}`).join("\n"),
    body: formatted(text),
  };
}

function formatted(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** The same request as a curl command, with a variable in place of the token. */
export function curl(request) {
  const parts = ["curl"];
  if (request.method !== "GET") parts.push(`-X ${request.method}`);
  if (request.token) parts.push('-H "Authorization: Bearer $TOKEN"');
  if (file(request)) parts.push(`-F ${quoted(`file=@${file(request).files[0]?.name ?? ""}`)}`);
  else if (hasBody(request)) parts.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(json(request)))}`);
  return [...parts, quoted(address(ns, request))].join(" ");
}
