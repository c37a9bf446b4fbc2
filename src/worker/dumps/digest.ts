import { Buffer } from "node:buffer";
import * as z from "zod";
import { FILES, fileName } from "../../catalog/dumps/files.ts";
import { fileSize } from "../../db/dumps/members.ts";
import { fileObject } from "./compose.ts";
import { DumpProblem, type DumpWork, type StageStep } from "./dump-work.ts";

/** Bytes that are read as one stream: a very long one may break off. */
export const DIGEST_BYTES = 256 * 1024 * 1024;

const positionSchema = z.object({ file: z.int().default(0) });

/** Notes a verified file with the checksum of its bytes. They are read as streams, outside of the memory of the worker. */
export async function digestFile(work: DumpWork, position: unknown): Promise<StageStep> {
  const { stores, dump } = work;
  const { file } = positionSchema.parse(position);
  const part = FILES[dump.kind][file];
  if (part === undefined) return { position: null };
  const object = fileObject(dump, part);
  const { lines } = await fileSize(stores.catalog, dump.id, part.sections);
  const { bytes, digest } = await digestOfObject(work, object);
  const name = fileName(part, dump.date);
  return {
    position: { file: file + 1 },
    files: [{ name, place: file, object, bytes, lines, digest }],
  };
}

/** Size and SHA-256 of an object. A checksum cannot be gone on with by another step, so the lease is renewed on the way. */
async function digestOfObject(
  { stores: { archive }, renew }: DumpWork,
  object: string,
): Promise<{ bytes: number; digest: string }> {
  const stream = new crypto.DigestStream("SHA-256");
  let size = 1;
  for (let offset = 0; offset < size; offset += DIGEST_BYTES) {
    if (offset > 0) await renew();
    const stored = await archive.get(object, { range: { offset, length: DIGEST_BYTES } });
    if (stored === null) throw new DumpProblem(`${object} is gone.`);
    ({ size } = stored);
    await stored.body.pipeTo(stream, { preventClose: true });
  }
  await stream.getWriter().close();
  return { bytes: size, digest: Buffer.from(await stream.digest).toString("hex") };
}
