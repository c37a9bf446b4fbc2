import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "./command.mjs";
import { StoredZip } from "./stored-zip.mjs";

/** @import { Target } from "./load-client.mjs" */
/** @typedef {"" | "s" | "m" | "l"} Size */

/** @type {readonly Size[]} the image as it came, and its smaller sizes */
export const SIZES = ["", "s", "m", "l"];
/** Covers of one file. */
export const COVERS_OF_FILE = 10_000;
/** Attempts for one request; waits of 0.5, 1, 2, ... seconds lie between them. */
const ATTEMPTS = 7;
const FIRST_WAIT_MS = 500;

/**
 * Where an image belongs among the archives (lookup.md 6.6): the file, and its name in there.
 * @param {number} id
 * @param {Size} size
 */
export function archivePlace(id, size) {
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
async function* coverIds({ url, token, fetch: call }, after) {
  /** @type {number | null} */
  let next = after;
  while (next !== null) {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await answered(() => call(`${url}/system/covers.json?after=${next}`, { headers }));
    if (!response.ok) throw new CommandError(`${url} answered ${response.status}: ${await response.text()}`);
    /** @type {{ covers: { id: number }[], next: number | null }} */
    const page = JSON.parse(await response.text());
    for (const { id } of page.covers) yield id;
    next = page.next;
  }
}

/**
 * @param {Target} target
 * @param {number} id
 * @param {Size} size
 * @returns {Promise<Buffer | undefined>}
 */
async function readImage({ url, fetch: call }, id, size) {
  const name = size === "" ? String(id) : `${id}-${size.toUpperCase()}`;
  const address = `${url}/b/id/${name}.jpg?default=false`;
  const response = await answered(() => call(address, { redirect: "manual" }));
  if (response.ok) return Buffer.from(await response.arrayBuffer());
  await response.body?.cancel();
  // Whatever the store does not have it may show from elsewhere.
  if (response.status === 404 || response.status === 302) return undefined;
  throw new CommandError(`${address} answered ${response.status}`);
}

/**
 * An answer that another attempt would not make better.
 * @param {() => Promise<Response>} ask
 */
async function answered(ask) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await ask().catch((error) => {
      if (attempt === ATTEMPTS)
        throw new CommandError(`the service cannot be reached: ${String(error.cause ?? error)}`);
    });
    const isTemporary = response === undefined || response.status === 429 || response.status >= 500;
    if (!isTemporary || attempt === ATTEMPTS) return response ?? Response.error();
    await response?.body?.cancel();
    const wait = Number(response?.headers.get("Retry-After") ?? 0) * 1000;
    await sleep(Math.max(wait, FIRST_WAIT_MS * 2 ** (attempt - 1)));
  }
}
