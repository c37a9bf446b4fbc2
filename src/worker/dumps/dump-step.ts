import { MIB } from "../../catalog/units.ts";
import * as z from "zod";
import type { DumpRow, MadeFile, Member, MemberPlace } from "../../db/dumps/read-dumps.ts";
import { type Jobs, yieldToTasks } from "../http/queue.ts";
import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { type Section, SECTIONS } from "../../catalog/dumps/dump-files.ts";
import { utf8Length } from "../../catalog/bytes.ts";

export interface DumpLimits {
  /** Maximum lines and bytes of a chunk, exceeded by at most one line. */
  readonly chunkLines: number;
  readonly chunkBytes: number;
  readonly statementRecords: number;
  /** Bytes of each part of a file except the last one. R2 requires equal parts of at least 5 MiB. */
  readonly partBytes: number;
  /** Maximum members that one step reads, each from its own object: an invocation may make 1,000 R2 calls. */
  readonly composedMembers: number;
  /** Bytes of lines at which a row group is full. Its records are in memory at once, as text and as values. */
  readonly rowGroupBytes: number;
}

export const DUMP_LIMITS: DumpLimits = {
  chunkLines: 20_000,
  chunkBytes: 4_000_000,
  statementRecords: 5000,
  partBytes: 8 * MIB,
  composedMembers: 400,
  rowGroupBytes: 8_000_000,
};

export interface DumpContext extends Jobs {
  readonly dump: DumpRow;
  readonly limits: DumpLimits;
  /** Lease of the consumer. Part of object names, so that a consumer that lost its lease overwrites nothing. */
  readonly lease: string;
}

export const memberPlaceSchema: z.ZodType<MemberPlace> = z.object({
  step: z.int(),
  place: z.int(),
  offset: z.int(),
});

export interface StepResult {
  /** Position to continue the stage from; null if it is finished. */
  readonly position: object | null;
  readonly members?: readonly Member[];
  readonly files?: readonly MadeFile[];
  /** Change as of which the dump restarts from nothing. The sweep resumes it. */
  readonly anewAsOf?: number;
}

/** Permanent error of a dump, for which a retry would not help. */
export class DumpProblem extends Error {}

export function workFolderOf(dump: Pick<DumpRow, "id">): string {
  return `dumps/${dump.id}/`;
}

export function workObjectOf({ dump, lease }: Pick<DumpContext, "dump" | "lease">): string {
  return `${workFolderOf(dump)}${dump.step}-${lease}`;
}

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
      await yieldToTasks();
    }
    if (members.length > 0) await archive.put(object, new Blob(packed));
    return members;
  }
}

export async function digestOf(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
}
