import { MIB } from "../../catalog/units.ts";
import * as z from "zod";
import { gunzipSync } from "node:zlib";
import { type FilePart, FILES, fileNameOf } from "../../catalog/dumps/dump-files.ts";
import { SHA256_START, finishSha256, updateSha256 } from "../../catalog/dumps/sha256.ts";
import {
  type PlacedMember,
  FILE_START,
  readFileSize,
  readNextMembers,
  placeAfter,
} from "../../db/dumps/read-dumps.ts";
import { yieldToTasks } from "../http/queue.ts";
import { type DumpContext, type StepResult, digestOf, DumpProblem, memberPlaceSchema } from "./dump-step.ts";
import { EMPTY_FILE, fileObject } from "./compose.ts";

/** Maximum bytes read back per step, exceeded only by a single larger member. */
const VERIFY_BYTES = 4 * MIB;
const VERIFIED_MEMBERS = 1000;
/** Maximum unpacked size of a member in bytes: a chunk and its last line. */
export const UNPACKED_BYTES_MAX = 32 * MIB;
const NEWLINE = 0x0a;

const positionSchema = z.object({
  file: z.int().default(0),
  /** Expected size of the file; null until it is computed. */
  bytes: z.int().nullable().default(null),
  from: memberPlaceSchema.default(FILE_START),
  sum: z
    .object({ words: z.array(z.int()), rest: z.array(z.int()), bytes: z.int() })
    .default({ ...SHA256_START, words: [...SHA256_START.words], rest: [] }),
});

/**
 * Reads back a part of a composed file and compares its lines and checksums with the recorded members. After the last
 * part, records the file with the checksum of all its bytes. Throws DumpProblem.
 */
export async function verifyFiles({ stores, dump }: DumpContext, position: unknown): Promise<StepResult> {
  const { file, from, bytes: knownBytes, sum } = positionSchema.parse(position);
  const part = FILES[dump.kind][file];
  if (part === undefined) return { position: null };
  const object = fileObject(dump, part);
  const bytes = knownBytes ?? (await readFileSize(stores.catalog, dump.id, part.sections)).bytes;
  const { offset } = from;
  if (offset === bytes) {
    const { lines } = await readFileSize(stores.catalog, dump.id, part.sections);
    const read = bytes === 0 ? updateSha256(sum, EMPTY_FILE) : sum;
    const size = (await stores.archive.head(object))?.size;
    if (size !== read.bytes) throw new DumpProblem(`${object} has ${size} bytes instead of ${read.bytes}.`);
    return {
      position: { file: file + 1 },
      files: [
        {
          name: fileNameOf(part, dump.date),
          place: file,
          object,
          lines,
          bytes: read.bytes,
          digest: finishSha256(read),
        },
      ],
    };
  }
  const range = { sections: part.sections, from, to: offset + VERIFY_BYTES, limit: VERIFIED_MEMBERS };
  // The members that end within the range, and always the first one.
  const members = (await readNextMembers(stores.catalog, dump.id, range)).filter(
    (member, index) => index === 0 || member.offset + member.bytes <= range.to,
  );
  const last = members.at(-1);
  if (last === undefined) throw new DumpProblem(`${object}: nothing is known of byte ${offset}.`);
  const next = placeAfter(last);
  const stored = await stores.archive.get(object, { range: { offset, length: next.offset - offset } });
  if (stored === null) throw new DumpProblem(`${object} is gone.`);
  const packed = new Uint8Array(await stored.arrayBuffer());
  for (const member of members) {
    const start = member.offset - offset;
    if (!(await isIntact(packed.subarray(start, start + member.bytes), member, part))) {
      throw new DumpProblem(`${object} holds something else at byte ${member.offset}.`);
    }
    await yieldToTasks();
  }
  return { position: { file, bytes, from: next, sum: updateSha256(sum, packed) } };
}

async function isIntact(packed: Uint8Array, { lines, digest }: PlacedMember, { suffix }: FilePart) {
  if (suffix === "parquet") return (await digestOf(packed)) === digest;
  let text: Uint8Array;
  try {
    text = gunzipSync(packed, { maxOutputLength: UNPACKED_BYTES_MAX });
  } catch {
    return false;
  }
  let found = 0;
  for (let at = text.indexOf(NEWLINE); at !== -1; at = text.indexOf(NEWLINE, at + 1)) found += 1;
  return found === lines && (await digestOf(text)) === digest;
}
