// A small map: tiles around a point, with two buttons to zoom. Without it, the page has links to maps.

const TILE = 256;
const FARTHEST = 3;
const NEAREST = 18;

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

function draw(map, zoom) {
  const [latitude, longitude] = map.dataset.point.split(",").map(Number);
  const [x, y] = place(latitude, longitude, zoom);
  const tiles = map.querySelector(".tiles");
  const across = tiles.clientWidth / TILE / 2;
  const down = tiles.clientHeight / TILE / 2;
  tiles.replaceChildren();
  for (let column = Math.floor(x - across); column <= x + across; column += 1) {
    for (let row = Math.max(0, Math.floor(y - down)); row <= y + down && row < 2 ** zoom; row += 1) {
      const image = tile(map.dataset.map, column, row, zoom);
      image.style.left = `${Math.round((column - x + across) * TILE)}px`;
      image.style.top = `${Math.round((row - y + down) * TILE)}px`;
      tiles.append(image);
    }
  }
}

for (const map of document.querySelectorAll("[data-map]")) {
  let zoom = 16;
  map.hidden = false;
  for (const button of map.querySelectorAll("button")) {
    button.addEventListener("click", () => {
      zoom = Math.min(NEAREST, Math.max(FARTHEST, zoom + Number(button.value)));
      draw(map, zoom);
    });
  }
  new ResizeObserver(() => draw(map, zoom)).observe(map.querySelector(".tiles"));
}
