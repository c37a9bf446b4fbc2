import * as z from "zod";
import { DUMP_KINDS } from "../../../catalog/dumps/files.ts";
import type { DumpRow } from "../../../db/dumps/dumps.ts";

/** A dump as the operator sees it. */
export const dumpSchema = z.object({
  id: z.int(),
  kind: z.enum(DUMP_KINDS),
  date: z.string(),
  state: z.enum(["open", "published", "failed", "retired"]),
  stage: z.string().describe("What is done next; `done`: nothing"),
  step: z.int().describe("Steps done so far"),
  after_change: z.int(),
  change: z.int(),
  begun: z.string(),
  updated: z.string(),
  published: z.string().nullable(),
  attempts: z.int().describe("How often it was begun"),
  failures: z.int().describe("How often the next step has failed"),
  problem: z.string().nullable(),
});

/** A stored dump as answers show it: where exactly it goes on is nobody's business. */
export function seenDump(row: DumpRow): z.infer<typeof dumpSchema> {
  const { id, kind, date, state, stage, step, attempts, failures, problem } = row;
  const { after_change, change_id: change, begun, updated, published } = row;
  return {
    id,
    kind,
    date,
    state,
    stage,
    step,
    after_change,
    change,
    begun,
    updated,
    published,
    attempts,
    failures,
    problem,
  };
}
