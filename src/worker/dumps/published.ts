import * as z from "zod";
import { DUMP_KINDS } from "../../catalog/dumps/files.ts";
import { publishedFiles } from "../../db/dumps/read-files.ts";
import type { Database } from "../../db/statement.ts";
import { isForPeople } from "../accounts/account-page.ts";
import { catalogReader, operation } from "../http/operation.ts";
import { type Reply, REVALIDATE, json } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { DELTAS_KEPT, FULL_DUMPS_KEPT } from "./sweep.ts";
import { table } from "../ui/table.ts";
import { moment } from "../ui/words.ts";

/** Files of all dumps that are kept, and of some that are about to be deleted. */
const PUBLISHED_FILES_MAX = 2 * (FULL_DUMPS_KEPT * 13 + DELTAS_KEPT);

/** A dump as people and programs find it. Times are naive UTC. */
const dumpSchema = z.object({
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
});
type PublishedDump = z.output<typeof dumpSchema>;
const schema = z.object({ dumps: z.array(dumpSchema).describe("Newest first") });

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

/** All dumps that can be downloaded, newest first. One round trip. */
async function publishedDumps(catalog: Database): Promise<PublishedDump[]> {
  const found = await publishedFiles(catalog, PUBLISHED_FILES_MAX);
  const dumps = Map.groupBy(found, ({ kind, date }) => `${kind} ${date}`);
  return [...dumps.values()].flatMap((files) => {
    const [first] = files;
    if (first === undefined) return [];
    const { kind, date, begun, published, afterChange: after_change, change } = first;
    const shown = files.map(({ name, bytes, lines, digest: sha256 }) => ({ name, bytes, lines, sha256 }));
    return [{ kind, date, begun, published, after_change, change, files: shown }];
  });
}

/** What each file holds, by the beginning of its name. */
const CONTENTS: Readonly<Record<string, string>> = {
  ol_dump: "The newest revision of every record",
  ol_dump_editions: "The editions among them",
  ol_dump_works: "The works",
  ol_dump_authors: "The authors",
  ol_dump_redirects: "Records that were merged into others",
  ol_dump_deletes: "Records that were deleted",
  ol_dump_lists: "Reading lists",
  ol_dump_other: "All other records: languages, series, tags, pages",
  ol_dump_ratings: "Stars that patrons gave, without names",
  "ol_dump_reading-log": "What is on the shelves of patrons, without names",
  ol_dump_covers_metadata: "Number, width, height and day of every cover",
  ol_cdump: "Every revision of every record",
  ol_delta: "Revisions that were made on the day",
};
/** Names end with a date. */
const DATED = /_\d{4}-\d\d-\d\d\.txt\.gz$/;

function dataPage(dumps: readonly PublishedDump[]): Reply {
  const full = dumps.filter(({ kind }) => kind === "full");
  const deltas = dumps.filter(({ kind }) => kind === "delta");
  const body = markup`<p>The whole catalog as files, free to download. Each line of a file of records has five columns with tabs
between them: type, key, revision, time of the last change, and the record as JSON. The files are compressed with gzip.</p>
${full.length === 0 ? markup`<p>There is no dump yet.</p>` : full.map(filesOf)}
${deltas.length > 0 && days(deltas)}
<h2>For programs</h2>
<p>${link("/data.json", "This list as JSON")} has the checksums of all files. The address of a file with
<code>latest</code> in place of the date, such as <code>/data/ol_dump_works_latest.txt.gz</code>, leads to the newest one. Files can be
read in parts (<code>Range</code>). What has changed since a dump is in ${link("/changes.json", "the feed of changes")}, from the
dump's last change on.</p>`;
  return page({ title: "Dumps", body, cacheControl: REVALIDATE });
}

function filesOf({ date, begun, change, files }: PublishedDump): Markup {
  return markup`<h2>Dump of ${date}</h2>
<p>As of ${moment(begun)}, change ${change}.</p>
${table({
  caption: `Files of ${date}`,
  columns: ["File", "What it holds", "Lines", "Size", "SHA-256"],
  rows: files.map(({ name, lines, bytes, sha256 }) => [
    link(`/data/${name}`, name),
    CONTENTS[name.replace(DATED, "")],
    lines.toLocaleString("en"),
    size(bytes),
    markup`<code>${sha256}</code>`,
  ]),
})}`;
}

function days(deltas: readonly PublishedDump[]): Markup {
  const rows = deltas.flatMap(({ date, after_change: after, change, files }) =>
    files.map(({ name, lines, bytes }) => [
      link(`/data/${name}`, date),
      change === after ? "None" : `${after + 1} to ${change}`,
      lines.toLocaleString("en"),
      size(bytes),
    ]),
  );
  return markup`<h2>Revisions of single days</h2>
${table({ caption: "Days, newest first", columns: ["Day", "Changes", "Lines", "Size"], rows })}`;
}

const UNITS = ["kB", "MB", "GB", "TB"];

/** A number of bytes as people read it. */
function size(bytes: number): string {
  let value = bytes;
  let unit = "bytes";
  for (const larger of UNITS) {
    if (value < 1000) break;
    [value, unit] = [value / 1000, larger];
  }
  return `${unit === "bytes" ? value : value.toPrecision(3)} ${unit}`;
}
