// Keeps the pages that were read last, for reading offline. Online, every page comes from the network.
"use strict";

const PAGES = "pages";
const FILES = `files ${SITE.version}`;
const MOST_PAGES = 60;
const MOST_IMAGES = 120;
const APART = ["/admin", "/api/", "/wp-json/", "/docs", "/preview/"].map((path) => SITE.root + path);

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(FILES).then((cache) => cache.add(SITE.offline)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const isOld = (name) => name !== PAGES && name !== FILES;
  const clean = async () => {
    for (const name of await caches.keys()) if (isOld(name)) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(clean());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (APART.some((path) => url.pathname.startsWith(path))) return;
  if (request.mode === "navigate") event.respondWith(readPage(event));
  else if (url.pathname.startsWith(`${SITE.static}/`)) event.respondWith(readFile(event, FILES));
  else if (request.destination === "image") event.respondWith(readFile(event, PAGES));
});

/** What a reader alone may see is not kept. */
const mayKeep = (response) => response.ok && !/no-store|private/.test(response.headers.get("Cache-Control") ?? "");

async function keep(name, request, response) {
  const cache = await caches.open(name);
  await cache.delete(request);
  await cache.put(request, response);
  const keys = await cache.keys();
  for (const key of keys.slice(0, Math.max(0, keys.length - MOST_PAGES - MOST_IMAGES))) await cache.delete(key);
}

async function readPage(event) {
  try {
    const response = await fetch(event.request);
    if (mayKeep(response)) event.waitUntil(keep(PAGES, event.request, response.clone()));
    return response;
  } catch {
    const kept = await caches.match(event.request);
    return kept ?? (await caches.match(SITE.offline)) ?? Response.error();
  }
}

/** A file of one version never changes, and neither does a picture. */
async function readFile(event, name) {
  const kept = await caches.match(event.request);
  if (kept) return kept;
  const response = await fetch(event.request);
  if (mayKeep(response)) event.waitUntil(keep(name, event.request, response.clone()));
  return response;
}
