import path from "node:path";
import { CommandError } from "./command.ts";
import { type Target, answered, call } from "./service.ts";
import { StoredZip } from "./stored-zip.ts";

type Size = "" | "s" | "m" | "l";

/** the image as it came, and its smaller sizes. */
const SIZES: readonly Size[] = ["", "s", "m", "l"];
/** Covers per archive file. */
export const COVERS_OF_FILE = 10_000;

/** Returns the archive file of an image and its name in it. */
function archivePlace(id: number, size: Size) {
  const digits = String(id).padStart(10, "0");
  const folder = `${size === "" ? "" : `${size}_`}covers_${digits.slice(0, 4)}`;
  const file = `${folder}/${folder}_${digits.slice(4, 6)}.zip`;
  return { file, member: `${digits}${size === "" ? "" : `-${size.toUpperCase()}`}.jpg` };
}

/** Exports the images of all covers above an id as archives. `onCover` receives the number of covers so far. */
export async function exportCovers(
  target: Target,
  { to, after, onCover }: { to: string; after: number; onCover: (covers: number, id: number) => void },
): Promise<{ covers: number; images: number; files: number }> {
  const totals = { covers: 0, images: 0, files: 0 };
  let open: Map<Size, StoredZip> = new Map();
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

/** Yields cover ids in ascending order. */
async function* coverIds(target: Target, after: number): AsyncGenerator<number> {
  let next: number | null = after;
  while (next !== null) {
    const page: { covers: { id: number }[]; next: number | null } = await call(
      target,
      `/system/covers.json?after=${next}`,
    );
    for (const { id } of page.covers) yield id;
    next = page.next;
  }
}

async function readImage(target: Target, id: number, size: Size): Promise<Buffer | undefined> {
  const name = size === "" ? String(id) : `${id}-${size.toUpperCase()}`;
  const address = `${target.url}/b/id/${name}.jpg?default=false`;
  const { ok, status, body } = await answered(target, address, { redirect: "manual" });
  if (ok) return body;
  // The store may show images from elsewhere that it does not have.
  if (status === 404 || status === 302) return undefined;
  throw new CommandError(`${address} answered ${status}`);
}
