import * as z from "zod";
import { datetimeText } from "../../../catalog/datetime.ts";
import { readCountsEnd } from "../../../db/patrons/work-counts.ts";
import { readAllProgress } from "../../../db/projections/cursor.ts";
import { readIndexState } from "../../../db/search/generation.ts";
import type { Stores } from "../../context.ts";
import { operation } from "../../operation.ts";
import { NO_STORE, json } from "../../reply.ts";
import { VERSION } from "../../version.ts";

let started: string | undefined;

/** `GET /status`: version, start of this isolate, features, and how far the projections are. */
export const status = operation({
  id: "status",
  summary: "Version, features and state of the projections",
  tag: "service",
  responses: {
    200: {
      description: "State of the service",
      schema: z.object({
        software_version: z.string(),
        start_time: z.string(),
        features: z.array(z.string()),
        changes: z.int().describe("Id of the newest change"),
        projections: z.record(z.string(), z.object({ change: z.int(), behind: z.int() })),
        index: z
          .object({ phase: z.string(), done: z.int(), total: z.int() })
          .nullable()
          .describe("Where a rebuild of the search index stands"),
      }),
    },
  },
  async handle(_input, { stores, settings, sources }) {
    started ??= datetimeText(sources.now());
    const features = ["edge-cache", "derived-holdings", "affiliate-lookup"].filter(
      (_name, index) =>
        [settings.EDGE_CACHE, settings.DERIVE_HOLDINGS, settings.AFFILIATE_LOOKUP !== "off"][index],
    );
    const { projections, changes } = await projectionsOf(stores);
    const { phase, done, total } = await readIndexState(stores.search);
    const index = phase === null ? null : { phase, done, total };
    return json(
      { software_version: VERSION, start_time: started, features, changes, projections, index },
      { cacheControl: NO_STORE },
    );
  },
});

/** How far each projection is. `counts` follows the counts of patrons' doings, all others the log of changes. */
async function projectionsOf({ catalog, patrons }: Stores) {
  const { cursors, end } = await readAllProgress(catalog);
  const countsEnd = await readCountsEnd(patrons);
  const projections: Record<string, { change: number; behind: number }> = {};
  for (const [name, change] of cursors) {
    // While an index is rebuilt, its cursor stands for the usual one; at other times it says nothing.
    if (name === "search-rebuild") continue;
    projections[name] = { change, behind: (name === "counts" ? countsEnd : end) - change };
  }
  return { projections, changes: end };
}
