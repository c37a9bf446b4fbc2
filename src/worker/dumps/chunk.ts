import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { type Section, SECTIONS } from "../../catalog/dumps/dump-files.ts";
import { utf8Length } from "../../catalog/bytes.ts";
import type { Member } from "../../db/dumps/read-dumps.ts";
import { takeTurns } from "../http/queue.ts";
import type { DumpLimits } from "./dump-step.ts";

const encoder = new TextEncoder();

/** Lines of a dump that are packed together, one gzip member per section. */
export class Chunk {
  private readonly sections = new Map<Section, string[]>();
  private lines = 0;
  private bytes = 0;

  constructor(private readonly limits: Pick<DumpLimits, "chunkLines" | "chunkBytes">) {}

  add(section: Section, line: string): void {
    const sectionLines = this.sections.get(section);
    if (sectionLines === undefined) this.sections.set(section, [line]);
    else sectionLines.push(line);
    this.lines += 1;
    this.bytes += utf8Length(line);
  }

  get isEmpty(): boolean {
    return this.lines === 0;
  }

  get isFull(): boolean {
    return this.lines >= this.limits.chunkLines || this.bytes >= this.limits.chunkBytes;
  }

  /** Remaining capacity, at least one line and one byte. */
  get room(): { readonly lines: number; readonly bytes: number } {
    const { chunkLines, chunkBytes } = this.limits;
    return { lines: Math.max(chunkLines - this.lines, 1), bytes: Math.max(chunkBytes - this.bytes, 1) };
  }

  /** Packs the lines into one object and returns its members. Stores nothing if there are no lines. */
  async store(archive: R2Bucket, object: string): Promise<Member[]> {
    const members: Member[] = [];
    const packed: Uint8Array<ArrayBuffer>[] = [];
    let place = 0;
    for (const section of SECTIONS) {
      const lines = this.sections.get(section);
      if (lines === undefined) continue;
      const text = encoder.encode(lines.join(""));
      const bytes = new Uint8Array(gzipSync(text));
      members.push({
        section,
        object,
        place,
        bytes: bytes.byteLength,
        lines: lines.length,
        digest: await digestOf(text),
      });
      packed.push(bytes);
      place += bytes.byteLength;
      await takeTurns();
    }
    if (members.length > 0) await archive.put(object, new Blob(packed));
    return members;
  }
}

export async function digestOf(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
}
