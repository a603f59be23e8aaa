// The point of a picture that stays visible when it is cropped: a click, or the arrow keys on its marker.

export function addFocusPoint(image, marker, field) {
  const position = () => (/^\d+% \d+%$/.test(field.value) ? field.value : "50% 50%").split(" ").map(Number.parseFloat);
  const move = () => {
    const [x, y] = position();
    marker.style.setProperty("--x", `${x}%`);
    marker.style.setProperty("--y", `${y}%`);
  };
  const place = (x, y) => {
    const limit = (number) => Math.min(100, Math.max(0, Math.round(number)));
    field.value = `${limit(x)}% ${limit(y)}%`;
    field.dispatchEvent(new Event("input", { bubbles: true }));
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
  field.addEventListener("input", move);
  move();
}
