import * as z from "zod";
import { DUMP_KINDS } from "../../../catalog/dumps/files.ts";
import { isForPeople } from "../../admin/done.ts";
import { catalogReader } from "../../context.ts";
import { publishedDumps } from "../../dumps/published-dumps.ts";
import { operation } from "../../operation.ts";
import { dataPage } from "../../pages/dumps/data-page.ts";
import { REVALIDATE, json } from "../../reply.ts";

const schema = z.object({
  dumps: z
    .array(
      z.object({
        kind: z.enum(DUMP_KINDS).describe("`full`: everything; `delta`: the revisions of one day"),
        date: z.string(),
        begun: z.string(),
        published: z.string(),
        after_change: z.int().describe("It has what the changes after this one made"),
        change: z.int().describe("Its last change: `/changes.json` and deltas go on from there"),
        files: z.array(
          z.object({
            name: z.string().describe("To be found at `/data/<name>`"),
            bytes: z.int(),
            lines: z.int(),
            sha256: z.string().describe("Of the file as it is, in hex"),
          }),
        ),
      }),
    )
    .describe("Newest first"),
});

/** `GET /data[.json]`: what there is to download. */
export const dumpIndex = operation({
  id: "dumpIndex",
  summary: "Files of the whole catalog that can be downloaded",
  tag: "dumps",
  responses: { 200: { description: "JSON for programs, a page for people", schema } },
  async handle(_input, context) {
    const dumps = await publishedDumps(catalogReader(context));
    if (isForPeople(context)) return dataPage(dumps);
    return json({ dumps }, { cacheControl: REVALIDATE, headers: { Vary: "Accept" } });
  },
});
