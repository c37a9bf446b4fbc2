import * as z from "zod";
import type { DumpRow, MadeFile, Member } from "../../db/dumps/read-dumps.ts";
import type { MemberPlace } from "../../db/dumps/read-files.ts";
import type { Jobs } from "../http/queue.ts";
import type { DumpLimits } from "./limits.ts";

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
