import * as z from "zod";
import { datetimeText } from "../../../catalog/datetime.ts";
import { operation } from "../../operation.ts";
import { NO_STORE, json } from "../../reply.ts";
import { serviceProgress } from "../../service-progress.ts";
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
    const { changes, projections, index } = await serviceProgress(stores);
    return json(
      { software_version: VERSION, start_time: started, features, changes, projections, index },
      { cacheControl: NO_STORE },
    );
  },
});
