// Makes a large photo smaller before it is sent, where the browser can read it; else it is sent as it is.

const LARGE = 3_000_000; // bytes
const LONGEST_SIDE = 3200; // pixels, enough for a whole screen
const QUALITY = 0.88;
// Others may move, and a picture that moves would stand still.
const SHRUNK = { "image/jpeg": "image/jpeg", "image/heic": "image/jpeg", "image/heif": "image/jpeg", "image/png": "image/webp" };

export async function shrunk(file) {
  const type = SHRUNK[file.type];
  if (!type || file.size < LARGE || !globalThis.createImageBitmap) return file;
  try {
    const picture = await createImageBitmap(file); // upright, as the camera says
    const factor = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(picture.width * factor));
    canvas.height = Math.max(1, Math.round(picture.height * factor));
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    const blob = await new Promise((done) => canvas.toBlob(done, type, QUALITY));
    if (!blob || blob.type !== type || blob.size >= file.size) return file;
    return new File([blob], file.name.replace(/\.[^.]*$/, "") + (type === "image/jpeg" ? ".jpg" : ".webp"), { type });
  } catch {
    return file; // a format that this browser does not know
  }
}
