// The picture of a record: chosen, dropped or pasted; uploaded at once, with alternative text and a focus point.

export function addPicture(field, upload) {
  const parts = {
    field,
    file: field.querySelector("input[type=file]"),
    id: field.querySelector("input[name=image]"),
    image: field.querySelector("img"),
    focus: field.querySelector("input[name=image_focus]"),
    marker: field.querySelector(".focus-point"),
    remove: field.querySelector("[data-remove-picture]"),
  };
  const take = async (file) => {
    if (!file?.type.startsWith("image/")) return;
    field.classList.add("is-loading");
    const stored = await upload(file);
    field.classList.remove("is-loading");
    if (stored) show(parts, stored);
  };
  parts.file.addEventListener("change", async () => {
    await take(parts.file.files[0]);
    parts.file.value = ""; // uploaded already: the form sends the id only
  });
  addDrop(field, take);
  parts.remove.addEventListener("click", (event) => {
    event.preventDefault();
    show(parts, null);
    parts.file.focus();
  });
  addFocusPoint(parts);
}

function show({ field, id, image, focus }, stored) {
  id.value = stored?.id ?? "";
  if (stored) image.src = stored.sizes?.medium?.url ?? stored.url;
  else image.removeAttribute("src");
  if (focus) focus.value = "";
  field.classList.toggle("has-picture", Boolean(stored));
  id.dispatchEvent(new Event("input", { bubbles: true }));
}

function addDrop(field, take) {
  const imageOf = (data) => [...(data?.files ?? [])].find((file) => file.type.startsWith("image/"));
  field.addEventListener("dragover", (event) => {
    event.preventDefault();
    field.classList.add("is-target");
  });
  field.addEventListener("dragleave", () => field.classList.remove("is-target"));
  field.addEventListener("drop", (event) => {
    event.preventDefault();
    field.classList.remove("is-target");
    take(imageOf(event.dataTransfer));
  });
  document.addEventListener("paste", (event) => {
    const isText = event.target.closest?.("input, textarea, [contenteditable]");
    const image = imageOf(event.clipboardData);
    if (image && !isText) take(image);
  });
}

/** The part of the picture that must stay visible when it is cropped: a click, or the arrow keys. */
function addFocusPoint({ image, focus, marker }) {
  if (!focus || !marker) return;
  const place = (x, y) => {
    const limit = (number) => Math.min(100, Math.max(0, Math.round(number)));
    focus.value = `${limit(x)}% ${limit(y)}%`;
    move();
    focus.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const position = () => (focus.value || "50% 50%").split(" ").map((part) => Number.parseFloat(part));
  const move = () => {
    const [x, y] = position();
    marker.style.setProperty("--x", `${x}%`);
    marker.style.setProperty("--y", `${y}%`);
  };
  image.addEventListener("click", (event) => {
    const box = image.getBoundingClientRect();
    place(((event.clientX - box.left) / box.width) * 100, ((event.clientY - box.top) / box.height) * 100);
  });
  marker.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-5, 0], ArrowRight: [5, 0], ArrowUp: [0, -5], ArrowDown: [0, 5] }[event.key];
    if (!step) return;
    event.preventDefault();
    const [x, y] = position();
    place(x + step[0], y + step[1]);
  });
  move();
}
