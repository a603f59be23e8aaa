// A small map: tiles around one place or several, with two buttons to zoom. Without it, the page has links to maps.

const TILE = 256;
const FARTHEST = 3;
const NEAREST = 18;
const USUAL = 16;
const MARGIN = 40; // pixels around the outermost of several places

/** Where a point is in a world of tiles: x and y, in tiles. */
function place(latitude, longitude, zoom) {
  const tiles = 2 ** zoom;
  const angle = (latitude * Math.PI) / 180;
  return [((longitude + 180) / 360) * tiles, ((1 - Math.asinh(Math.tan(angle)) / Math.PI) / 2) * tiles];
}

function tile(template, x, y, zoom) {
  const image = new Image(TILE, TILE);
  image.alt = "";
  image.draggable = false;
  // Sources of maps want to know which site asks, and need not know which page.
  image.referrerPolicy = "strict-origin-when-cross-origin";
  const places = { x: ((x % 2 ** zoom) + 2 ** zoom) % 2 ** zoom, y, z: zoom };
  image.src = template.replace(/\{([xyz])\}/g, (_, name) => places[name]);
  return image;
}

/** The places of a map, each in tiles of a zoom. */
function placesOf(map, zoom) {
  return [...map.querySelectorAll("[data-point]")].map((pin) => {
    const [x, y] = place(...pin.dataset.point.split(",").map(Number), zoom);
    return { pin, x, y };
  });
}

const MOST = 0.9; // of several places; one on the other side of the world would make a map of the world
const middle = (values) => (Math.min(...values) + Math.max(...values)) / 2;
const extent = (values) => Math.max(...values) - Math.min(...values);
const median = (values) => values.sort((one, other) => one - other)[values.length >> 1];

/** Most of the places, without those that are far from the others. */
function together(found) {
  const [x, y] = [median(found.map((one) => one.x)), median(found.map((one) => one.y))];
  const far = (one) => Math.hypot(one.x - x, one.y - y);
  return [...found].sort((one, other) => far(one) - far(other)).slice(0, Math.ceil(found.length * MOST));
}

/** The nearest zoom that has all places in sight. */
function fitting(map) {
  const { clientWidth, clientHeight } = map.querySelector(".tiles");
  for (let zoom = USUAL; zoom > FARTHEST; zoom -= 1) {
    const found = together(placesOf(map, zoom));
    const isWide = extent(found.map(({ x }) => x)) * TILE > clientWidth - 2 * MARGIN;
    if (!isWide && extent(found.map(({ y }) => y)) * TILE <= clientHeight - 2 * MARGIN) return zoom;
  }
  return FARTHEST;
}

function draw(map, zoom) {
  const found = placesOf(map, zoom);
  const seen = together(found);
  const [x, y] = [middle(seen.map((one) => one.x)), middle(seen.map((one) => one.y))];
  const tiles = map.querySelector(".tiles");
  const across = tiles.clientWidth / TILE / 2;
  const down = tiles.clientHeight / TILE / 2;
  const move = (element, column, row) => {
    element.style.left = `${Math.round((column - x + across) * TILE)}px`;
    element.style.top = `${Math.round((row - y + down) * TILE)}px`;
  };
  tiles.replaceChildren();
  for (let column = Math.floor(x - across); column <= x + across; column += 1) {
    for (let row = Math.max(0, Math.floor(y - down)); row <= y + down && row < 2 ** zoom; row += 1) {
      const image = tile(map.dataset.map, column, row, zoom);
      move(image, column, row);
      tiles.append(image);
    }
  }
  for (const one of found) {
    move(one.pin, one.x, one.y);
    one.pin.hidden = Math.abs(one.x - x) > across || Math.abs(one.y - y) > down;
  }
}

for (const map of document.querySelectorAll("[data-map]")) {
  map.hidden = false;
  let zoom = fitting(map);
  for (const button of map.querySelectorAll("button")) {
    button.addEventListener("click", () => {
      zoom = Math.min(NEAREST, Math.max(FARTHEST, zoom + Number(button.value)));
      draw(map, zoom);
    });
  }
  new ResizeObserver(() => draw(map, zoom)).observe(map.querySelector(".tiles"));
}
