import * as z from "zod";
import { DUMP_KINDS, FILES } from "../../catalog/dumps/dump-files.ts";
import { readPublishedFiles } from "../../db/dumps/read-dumps.ts";
import { catalogReader } from "../http/operation.ts";
import { REVALIDATE, json } from "../http/reply.ts";
import { resource } from "../http/views.ts";
import { dataPage } from "./data-page.ts";
import { DELTAS_KEPT, FULL_DUMPS_KEPT } from "./schedule.ts";

/** Maximum number of listed files: those of all stored dumps, and of some about to be deleted. */
const PUBLISHED_FILES_MAX = 2 * (FULL_DUMPS_KEPT * FILES.full.length + DELTAS_KEPT);

const dumpSchema = z.object({
  kind: z.enum(DUMP_KINDS).describe("`full`: all records; `delta`: the revisions of one day"),
  date: z.string(),
  begun: z.string(),
  published: z.string(),
  after_change: z.int().describe("Number of the change before the first one in the dump"),
  change: z.int().describe("Number of the last change in the dump; deltas continue from there"),
  files: z.array(
    z.object({
      name: z.string().describe("Name of the file, served at `/data/<name>`"),
      bytes: z.int(),
      lines: z.int(),
      sha256: z.string().describe("SHA-256 of the file as downloaded, in hex"),
    }),
  ),
});
const schema = z.object({ dumps: z.array(dumpSchema).describe("Newest first") });

export const dumpIndex = resource({
  id: "dumpIndex",
  summary: "List the dump files of the catalog",
  tag: "dumps",
  responses: { 200: { description: "JSON for programs, a page for people", schema } },
  /** One round trip. */
  async read(_input, context) {
    const rows = await readPublishedFiles(catalogReader(context), PUBLISHED_FILES_MAX);
    const dumps = Map.groupBy(rows, ({ kind, date }) => `${kind} ${date}`);
    return [...dumps.values()].flatMap((files) => {
      const [first] = files;
      if (first === undefined) return [];
      const { kind, date, begun, published, afterChange: after_change, change } = first;
      const publicFiles = files.map(({ name, bytes, lines, digest: sha256 }) => {
        return { name, bytes, lines, sha256 };
      });
      return [{ kind, date, begun, published, after_change, change, files: publicFiles }];
    });
  },
  asJson: (dumps) => json({ dumps }, { cacheControl: REVALIDATE }),
  page: dataPage,
});
