import { Buffer } from "node:buffer";
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { FILES, fileName } from "../../catalog/dumps/files.ts";
import {
  type PlacedMember,
  FILE_START,
  fileSize,
  nextMembers,
  placeAfter,
} from "../../db/dumps/read-files.ts";
import { takeTurns } from "../http/queue.ts";
import { digestOf } from "./chunk.ts";
import { EMPTY_FILE, fileObject } from "./compose.ts";
import { type DumpWork, type StageStep, DumpProblem, memberPlaceSchema } from "./step.ts";

/** Bytes of a file that are read back at once; a member is always whole. */
const VERIFY_BYTES = 4 * 1024 * 1024;
/** Members of a file that are read back at once: small ones are many. */
const VERIFIED_MEMBERS = 1000;
/** Most bytes that a member unpacks to: a chunk and its last line. */
const UNPACKED_BYTES_MAX = 32 * 1024 * 1024;
const NEWLINE = 0x0a;

const positionSchema = z.object({
  file: z.int().default(0),
  /** How large the file is to be; null before it was looked at. */
  bytes: z.int().nullable().default(null),
  from: memberPlaceSchema.default(FILE_START),
});

/** Reads a part of a finished file back, and compares lines and checksums with what was read from the catalog. */
export async function verifyFiles({ stores, dump }: DumpWork, position: unknown): Promise<StageStep> {
  const { file, from, bytes: known } = positionSchema.parse(position);
  const part = FILES[dump.kind][file];
  if (part === undefined) return { position: null };
  const object = fileObject(dump, part);
  const bytes = known ?? (await fileSize(stores.catalog, dump.id, part.sections)).bytes;
  const { offset } = from;
  if (offset === bytes) {
    await verifyEnd(stores.archive, object, bytes);
    return { position: { file: file + 1 } };
  }
  const range = { sections: part.sections, from, to: offset + VERIFY_BYTES, limit: VERIFIED_MEMBERS };
  const members = whole(await nextMembers(stores.catalog, dump.id, range), range.to);
  const last = members.at(-1);
  if (last === undefined) throw new DumpProblem(`${object}: nothing is known of byte ${offset}.`);
  const next = placeAfter(last);
  const stored = await stores.archive.get(object, { range: { offset, length: next.offset - offset } });
  if (stored === null) throw new DumpProblem(`${object} is gone.`);
  const packed = new Uint8Array(await stored.arrayBuffer());
  for (const member of members) {
    const start = member.offset - offset;
    if (!(await isRight(packed.subarray(start, start + member.bytes), member))) {
      throw new DumpProblem(`${object} holds something else at byte ${member.offset}.`);
    }
    await takeTurns();
  }
  return { position: { file, bytes, from: next } };
}

/** The members that end within the range, and the first one in any case. */
function whole(members: readonly PlacedMember[], to: number): PlacedMember[] {
  return members.filter(({ offset, bytes }, index) => index === 0 || offset + bytes <= to);
}

async function isRight(packed: Uint8Array, { lines, digest }: PlacedMember): Promise<boolean> {
  const text = unpacked(packed);
  return text !== undefined && count(text) === lines && (await digestOf(text)) === digest;
}

/** The lines of a member; undefined when it is none. */
function unpacked(packed: Uint8Array): Uint8Array | undefined {
  try {
    return gunzipSync(packed, { maxOutputLength: UNPACKED_BYTES_MAX });
  } catch {
    return undefined;
  }
}

function count(text: Uint8Array): number {
  let lines = 0;
  for (let at = text.indexOf(NEWLINE); at !== -1; at = text.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
}

/** A file is as long as its members; an empty one is an empty archive. */
async function verifyEnd(archive: R2Bucket, object: string, bytes: number): Promise<void> {
  const stored = await archive.head(object);
  const size = bytes === 0 ? EMPTY_FILE.byteLength : bytes;
  if (stored?.size !== size) throw new DumpProblem(`${object} has ${stored?.size} bytes instead of ${size}.`);
}

/** Bytes that are read as one stream: a very long one may break off. */
export const DIGEST_BYTES = 256 * 1024 * 1024;

const digestPositionSchema = z.object({ file: z.int().default(0) });

/** Notes a verified file with the checksum of its bytes. They are read as streams, outside of the memory of the worker. */
export async function digestFile(work: DumpWork, position: unknown): Promise<StageStep> {
  const { stores, dump } = work;
  const { file } = digestPositionSchema.parse(position);
  const part = FILES[dump.kind][file];
  if (part === undefined) return { position: null };
  const object = fileObject(dump, part);
  const { lines } = await fileSize(stores.catalog, dump.id, part.sections);
  const { bytes, digest } = await digestOfObject(work, object);
  const made = { name: fileName(part, dump.date), place: file, object, bytes, lines, digest };
  return { position: { file: file + 1 }, files: [made] };
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
