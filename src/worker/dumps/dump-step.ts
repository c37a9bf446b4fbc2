import * as z from "zod";
import type { DumpRow, MadeFile, Member } from "../../db/dumps/rows.ts";
import type { MemberPlace } from "../../db/dumps/read-files.ts";
import type { Jobs } from "../http/queue.ts";

/** Bounds of the steps of a dump. They decide where files are split, so that the same records make the same files. */
export interface DumpLimits {
  /** Lines, and bytes of them, after which another chunk begins. */
  readonly chunkLines: number;
  readonly chunkBytes: number;
  /** Records or revisions that one statement reads. */
  readonly statementRecords: number;
  /** Bytes of each part of a file but the last: R2 wants them equal, and at least 5 MiB. */
  readonly partBytes: number;
  /**
   * Members that one step reads. A part of a file with few lines lies in more of them, each in an object of its own, and
   * an invocation of a worker may call R2 a thousand times.
   */
  readonly composedMembers: number;
  /** Calls of R2 for parts of files after which another message continues. */
  readonly runCalls: number;
  /** Bytes of lines after which a row group is full. Its records are in memory at once, as texts and as values. */
  readonly rowGroupBytes: number;
}

export const DUMP_LIMITS: DumpLimits = {
  chunkLines: 20_000,
  chunkBytes: 4_000_000,
  statementRecords: 5000,
  partBytes: 8 * 1024 * 1024,
  composedMembers: 400,
  runCalls: 100,
  rowGroupBytes: 8_000_000,
};

/** What a step of a dump is done with. */
export interface DumpWork extends Jobs {
  readonly dump: DumpRow;
  readonly limits: DumpLimits;
  /** Who does it: part of the names of objects, so that somebody who was too slow changes none of another's. */
  readonly lease: string;
}

/** A place between members, in a stored position. */
export const memberPlaceSchema: z.ZodType<MemberPlace> = z.object({
  step: z.int(),
  place: z.int(),
  offset: z.int(),
});

/** What came of a step. */
export interface StageStep {
  /** Where the stage goes on; null: it is finished. */
  readonly position: object | null;
  readonly members?: readonly Member[];
  readonly files?: readonly MadeFile[];
  /** The dump begins anew, as of this change: what it had is forgotten. The sweep goes on with it. */
  readonly anewAsOf?: number;
  /** Calls of R2, where these may be many. */
  readonly calls?: number;
}

/** What is wrong with a dump itself: no repetition would help. */
export class DumpProblem extends Error {}

/** Folder of the objects that a dump is put together of. */
export function workFolder(dump: Pick<DumpRow, "id">): string {
  return `dumps/${dump.id}/`;
}

/** Name of the object of this step. */
export function workObject({ dump, lease }: Pick<DumpWork, "dump" | "lease">): string {
  return `${workFolder(dump)}${dump.step}-${lease}`;
}
