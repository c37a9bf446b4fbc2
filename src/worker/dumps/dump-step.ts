import * as z from "zod";
import type { DumpRow, MadeFile, Member, MemberPlace } from "../../db/dumps/read-dumps.ts";
import type { Jobs } from "../http/queue.ts";

/** Limits of the steps of a dump. They decide where files are split, so the same records give the same files. */
export interface DumpLimits {
  /** Maximum lines and bytes of a chunk, exceeded by at most one line. */
  readonly chunkLines: number;
  readonly chunkBytes: number;
  /** Maximum records or revisions per statement. */
  readonly statementRecords: number;
  /** Bytes of each part of a file except the last one. R2 requires equal parts of at least 5 MiB. */
  readonly partBytes: number;
  /**
   * Maximum members that one step reads. Small members fill a part slowly, each is in its own object, and a Worker
   * invocation may make 1,000 R2 calls.
   */
  readonly composedMembers: number;
  /** R2 calls for file parts after which another message continues. */
  readonly runCalls: number;
  /** Bytes of lines at which a row group is full. Its records are in memory at once, as text and as values. */
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
  /** Number of R2 calls, if there may be many. */
  readonly calls?: number;
}

/** Permanent error of a dump, for which a retry would not help. */
export class DumpProblem extends Error {}

export function workFolderOf(dump: Pick<DumpRow, "id">): string {
  return `dumps/${dump.id}/`;
}

export function workObjectOf({ dump, lease }: Pick<DumpContext, "dump" | "lease">): string {
  return `${workFolderOf(dump)}${dump.step}-${lease}`;
}
