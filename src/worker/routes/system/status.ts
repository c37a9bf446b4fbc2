import * as z from "zod";
import { readProgress } from "../../../db/projections/cursor.ts";
import { datetimeText } from "../../../catalog/datetime.ts";
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
      }),
    },
  },
  async handle(_input, { stores, settings, sources }) {
    started ??= datetimeText(sources.now());
    const { cursor, end } = await readProgress(stores.catalog, "answers");
    const features = ["edge-cache", "derived-holdings", "affiliate-lookup"].filter(
      (_name, index) =>
        [settings.EDGE_CACHE, settings.DERIVE_HOLDINGS, settings.AFFILIATE_LOOKUP !== "off"][index],
    );
    const projections = { answers: { change: cursor, behind: end - cursor } };
    return json(
      { software_version: VERSION, start_time: started, features, changes: end, projections },
      { cacheControl: NO_STORE },
    );
  },
});
