// Requests of the admin's scripts to the interface, with the session of the browser and the token of the page.

const content = (name) => document.querySelector(`meta[name="${name}"]`)?.content ?? "";

export class RequestError extends Error {
  constructor(status, body) {
    super(body?.message ?? String(status));
    this.status = status;
    this.body = body;
  }
}

// `path` is below the namespace ("/events/12"), or a path of the site ("/admin/…").
export async function request(method, path, body) {
  const address = path.startsWith("/admin") ? path : content("kalends-api") + path;
  const headers = { Accept: "application/json", "X-Kalends-Token": content("kalends-token") };
  if (body !== undefined && !(body instanceof FormData)) {
    headers["Content-Type"] = "application/json";
    body = JSON.stringify(body);
  }
  const response = await fetch(address, { method, headers, body, credentials: "same-origin", cache: "no-store" });
  const isJson = (response.headers.get("Content-Type") ?? "").startsWith("application/json");
  const answer = isJson ? await response.json() : await response.text();
  if (!response.ok) throw new RequestError(response.status, isJson ? answer : null);
  return answer;
}
