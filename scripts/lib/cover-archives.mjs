import path from "node:path";
import { CommandError } from "./command.mjs";
import { answered, call } from "./service.mjs";
import { StoredZip } from "./stored-zip.mjs";

/** @import { Target } from "./service.mjs" */
/** @typedef {"" | "s" | "m" | "l"} Size */

/** @type {readonly Size[]} the image as it came, and its smaller sizes */
const SIZES = ["", "s", "m", "l"];
/** Covers of one file. */
export const COVERS_OF_FILE = 10_000;

/**
 * Where an image belongs among the archives: the file, and its name in there.
 * @param {number} id
 * @param {Size} size
 */
function archivePlace(id, size) {
  const digits = String(id).padStart(10, "0");
  const folder = `${size === "" ? "" : `${size}_`}covers_${digits.slice(0, 4)}`;
  const file = `${folder}/${folder}_${digits.slice(4, 6)}.zip`;
  return { file, member: `${digits}${size === "" ? "" : `-${size.toUpperCase()}`}.jpg` };
}

/**
 * Writes the images of all covers above a number as archives below a folder. `onCover` hears how many there are so far.
 * @param {Target} target
 * @param {{ to: string, after: number, onCover: (covers: number, id: number) => void }} options
 * @returns {Promise<{ covers: number, images: number, files: number }>}
 */
export async function exportCovers(target, { to, after, onCover }) {
  const totals = { covers: 0, images: 0, files: 0 };
  /** @type {Map<Size, StoredZip>} */
  let open = new Map();
  let batch = -1;
  const close = async () => {
    for (const zip of open.values()) await zip.close();
    totals.files += open.size;
    open = new Map();
  };
  for await (const id of coverIds(target, after)) {
    if (Math.floor(id / COVERS_OF_FILE) !== batch) await close();
    batch = Math.floor(id / COVERS_OF_FILE);
    const images = await Promise.all(SIZES.map((size) => readImage(target, id, size)));
    for (const [index, size] of SIZES.entries()) {
      const image = images[index];
      // One that is blocked, or was deleted a moment ago.
      if (image === undefined) continue;
      const { file, member } = archivePlace(id, size);
      const zip = open.get(size) ?? (await StoredZip.create(path.join(to, file)));
      open.set(size, zip);
      await zip.add(member, image);
      totals.images += 1;
    }
    totals.covers += 1;
    onCover(totals.covers, id);
  }
  await close();
  return totals;
}

/**
 * Numbers of covers in ascending order.
 * @param {Target} target
 * @param {number} after
 * @returns {AsyncGenerator<number>}
 */
async function* coverIds(target, after) {
  /** @type {number | null} */
  let next = after;
  while (next !== null) {
    /** @type {{ covers: { id: number }[], next: number | null }} */
    const page = await call(target, `/system/covers.json?after=${next}`);
    for (const { id } of page.covers) yield id;
    next = page.next;
  }
}

/** @param {Target} target @param {number} id @param {Size} size @returns {Promise<Buffer | undefined>} */
async function readImage(target, id, size) {
  const name = size === "" ? String(id) : `${id}-${size.toUpperCase()}`;
  const address = `${target.url}/b/id/${name}.jpg?default=false`;
  const { ok, status, body } = await answered(target, address, { redirect: "manual" });
  if (ok) return body;
  // Whatever the store does not have it may show from elsewhere.
  if (status === 404 || status === 302) return undefined;
  throw new CommandError(`${address} answered ${status}`);
}
