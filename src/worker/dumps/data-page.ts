import type { DumpKind } from "../../catalog/dumps/dump-files.ts";
import { type Reply, REVALIDATE } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { type Words, byteSize, day, moment, number, plainDay, t } from "../ui/words.ts";

interface PublishedDump {
  readonly kind: DumpKind;
  readonly date: string;
  readonly begun: string;
  /** Numbers of the change before the first one in the dump, and of its last one. */
  readonly after_change: number;
  readonly change: number;
  readonly files: readonly { name: string; bytes: number; lines: number; sha256: string }[];
}

const CONTENTS: Readonly<Record<string, Words>> = {
  ol_dump: "data.all_records",
  ol_dump_editions: "data.editions",
  ol_dump_works: "data.works",
  ol_dump_authors: "data.authors",
  ol_dump_redirects: "data.redirects",
  ol_dump_deletes: "data.deletes",
  ol_dump_lists: "data.lists",
  ol_dump_other: "data.other",
  ol_dump_ratings: "data.ratings",
  "ol_dump_reading-log": "data.reading_log",
  ol_dump_covers_metadata: "data.covers",
  ol_cdump: "data.all_revisions",
  ol_delta: "data.day_revisions",
};
const DATED = /_\d{4}-\d\d-\d\d\.(?:txt\.gz|parquet)$/;

export function dataPage(dumps: readonly PublishedDump[]): Reply {
  const full = dumps
    .filter(({ kind }) => kind === "full")
    .map(
      ({ date, begun, change, files }) => markup`<h2>${t("data.dump_of", { day: day(date) })}</h2>
<p>${t("data.as_of", { time: moment(begun), change })}</p>
${table({
  caption: t("data.files_of", { day: plainDay(date) }),
  columns: [t("data.file"), t("data.holds"), t("data.lines"), t("data.size"), t("data.checksum")],
  rows: files.map(({ name, lines, bytes, sha256 }) => {
    const contents = CONTENTS[name.replace(DATED, "")];
    return [
      link(`/data/${name}`, name),
      contents && t(contents),
      number(lines),
      byteSize(bytes),
      markup`<details><summary>SHA-256</summary><code>${sha256}</code></details>`,
    ];
  }),
})}`,
    );
  const deltas = dumps
    .filter(({ kind }) => kind === "delta")
    .flatMap(({ date, after_change: after, change, files }) =>
      files.map(({ name, lines, bytes }) => [
        link(`/data/${name}`, day(date)),
        change === after ? t("data.no_changes") : markup`${number(after + 1)}–${number(change)}`,
        number(lines),
        byteSize(bytes),
      ]),
    );
  const body = markup`<p>${t("data.lead")}</p>
${full.length === 0 ? markup`<p>${t("data.none")}</p>` : full}
${
  dumps.some(({ kind }) => kind === "delta") &&
  markup`<h2>${t("data.days")}</h2>
${table({
  caption: t("data.days_newest"),
  columns: [t("desk.day"), t("data.changes"), t("data.lines"), t("data.size")],
  rows: deltas,
})}`
}
<h2>${t("data.programs")}</h2>
<p>${t("data.programs_list", { json: link("/data.json", "/data.json") })}
${t("data.programs_latest", { latest: markup`<code>latest</code>`, example: markup`<code>/data/ol_dump_works_latest.txt.gz</code>`, range: markup`<code>Range</code>` })}
${t("data.programs_tables", { suffix: markup`<code>.parquet</code>` })}
${t("data.programs_feed", { feed: link("/changes.json", "/changes.json") })}</p>`;
  return page({ title: t("data.title"), body, cacheControl: REVALIDATE });
}
