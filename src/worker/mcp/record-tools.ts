import * as z from "zod";
import { keyOfAddress, lastSegmentOf } from "../../catalog/keys.ts";
import { PARTS } from "../../catalog/lookup/expand.ts";
import { type CatalogRecord, isObject, keyOf } from "../../catalog/record.ts";
import { FORMAT_NAMES } from "../../export/formats.ts";
import { CITATION_LANGUAGES } from "../../export/reference-words.ts";
import { CITATION_STYLES } from "../../export/references.ts";
import {
  fitList,
  fitWhole,
  maxBytes,
  nextCursor,
  paging,
  recordName,
  requireKey,
  offsetOf,
  tool,
} from "./tool.ts";

export const getRecordTool = tool({
  name: "get_record",
  title: "Get a whole book, work or author",
  description:
    "Reads a record with what belongs to it: authors, work, series, languages, cover, ratings and availability in their places.",
  hints: "reads",
  input: z.object({
    key: recordName("Key, such as `/works/OL1W`, `/books/OL1M` or `/authors/OL1A`"),
    parts: z
      .array(z.enum(PARTS))
      .max(PARTS.length)
      .default([...PARTS])
      .describe("Parts to put into the record"),
    ...maxBytes,
  }),
  output: z.object({ record: z.looseObject({ key: z.string() }), url: z.string() }),
  async run({ key: name, parts, max_bytes: most }, caller) {
    const key = requireKey(name, ["work", "edition", "author"], caller);
    const expand = parts.length === 0 ? {} : { expand: parts.join(",") };
    const found = await caller.object(`${key}.json`, { query: expand });
    const shown = { ...found, key: keyOf(found) ?? key };
    return fitWhole({ record: shown, url: caller.baseUrl + shown.key }, most);
  },
});

const FILE_STYLES = FORMAT_NAMES.filter((name) => name === "bib" || name === "ris" || name === "csljson");

export const citeTool = tool({
  name: "cite",
  title: "Cite a book",
  description: "Formats a reference to a work or edition in a style, or as an entry for reference managers.",
  hints: "reads",
  input: z.object({
    key: recordName("Key of the work or edition"),
    style: z
      .enum([...CITATION_STYLES, ...FILE_STYLES])
      .default("apa")
      .describe("Style, or BibTeX, RIS or CSL-JSON"),
    lang: z.enum(CITATION_LANGUAGES).default("en").describe("Language of the reference"),
    ...maxBytes,
  }),
  output: z.object({ key: z.string(), style: z.string(), citation: z.string() }),
  async run({ key: name, style, lang, max_bytes: most }, caller) {
    const key = requireKey(name, ["work", "edition"], caller);
    const file = FILE_STYLES.find((format) => format === style);
    if (file !== undefined) {
      const response = await caller.call(`${key}.${file}`, { headers: { Accept: "*/*" } });
      return fitWhole({ key, style, citation: await response.text() }, most);
    }
    const response = await caller.call(`${key}/cite.json`, { query: { lang } });
    const { styles } = await response.json<{ styles: Record<string, { text: string }> }>();
    return fitWhole({ key, style, citation: styles[style]?.text ?? "" }, most);
  },
});

const LOOKUP_IDS_MAX = 100;
const NONE: CatalogRecord = {};

export const lookupBooksTool = tool({
  name: "lookup_books",
  title: "Look up books by their numbers",
  description:
    "Looks up to 100 books by ISBN, `LCCN:…`, `OCLC:…`, `OCAID:…` or key, and works and authors by key, in one call.",
  hints: "reads",
  input: z.object({
    ids: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(LOOKUP_IDS_MAX)
      .describe("Numbers and keys, for example `9780141439518`, `LCCN:2003055604`, `/books/OL1M`"),
    cursor: paging.cursor,
    ...maxBytes,
  }),
  output: z.object({
    found: z.array(z.object({ id: z.string(), record: z.looseObject({}) })),
    missing: z.array(z.string()).describe("Of those that were looked up so far"),
    ...nextCursor,
  }),
  async run({ ids, cursor, max_bytes: most }, caller) {
    const start = offsetOf({ cursor });
    const asked = ids.slice(start).map((id) => ({ id, key: keyOfAddress(id, caller.prefix) }));
    const keys = asked.flatMap(({ key }) => (key !== undefined && !key.startsWith("/books/") ? [key] : []));
    const bibkeys = asked.flatMap(({ id, key }) => {
      if (key === undefined) return [id.replaceAll(",", " ")];
      return key.startsWith("/books/") ? [`OLID:${lastSegmentOf(key)}`] : [];
    });
    const [books, records] = await Promise.all([
      bibkeys.length > 0
        ? caller.object("/api/books.json", {
            form: { bibkeys: bibkeys.join(","), jscmd: "data", format: "json" },
          })
        : NONE,
      keys.length > 0 ? caller.object("/api/get_many", { query: { keys: JSON.stringify(keys) } }) : NONE,
    ]);
    const byKey = isObject(records["result"]) ? records["result"] : {};
    const looked = asked.map(({ id, key }) => {
      const bibkey = key === undefined ? id.replaceAll(",", " ") : `OLID:${lastSegmentOf(key)}`;
      const record = (key === undefined ? undefined : byKey[key]) ?? books[bibkey];
      return { id, record: isObject(record) ? record : undefined };
    });
    const found = looked.flatMap(({ id, record }, place) =>
      record === undefined ? [] : [{ id, record, place }],
    );
    const missing = looked.flatMap(({ id, record }) => (record === undefined ? [id] : []));
    const page = fitList({ missing, found: found.map(({ id, record }) => ({ id, record })) }, "found", {
      most,
      cursorAt: (count) => {
        const next = found[count];
        return next === undefined ? undefined : start + next.place;
      },
    });
    const end = page.next_cursor === undefined ? ids.length : Number(page.next_cursor);
    const done = new Set(ids.slice(start, end));
    return { ...page, missing: missing.filter((id) => done.has(id)) };
  },
});

const changeOutcome = z.object({
  state: z.enum(["proposed", "saved", "unchanged"]),
  url: z.string().describe("Page of the proposal or of the record"),
  id: z.int().optional().describe("Number of the proposal"),
  revision: z.int().optional().describe("New revision of the saved record"),
});
type ChangeOutcome = z.input<typeof changeOutcome>;

export const proposeChangeTool = tool({
  name: "propose_change",
  title: "Propose a change of a record",
  description:
    "Proposes new values for members of a work, edition or author, which a librarian reviews. Read the record first, and say in the comment why and by which source. Only with `save`, and a token that may edit, the change is saved at once.",
  hints: "edits",
  scope: "read",
  input: z.object({
    key: recordName("Key of the work, edition or author"),
    revision: z.int().gte(1).describe("Revision of the record that was read"),
    changes: z.record(z.string(), z.unknown()).describe("Members to set, as in the record; null removes one"),
    comment: z.string().min(1).max(1000).describe("Reason and source"),
    save: z
      .boolean()
      .default(false)
      .describe("Save at once, without review, if the token has the scope `edit`"),
  }),
  output: changeOutcome,
  async run({ key: name, revision, changes, comment, save }, caller): Promise<ChangeOutcome> {
    const key = requireKey(name, ["work", "edition", "author"], caller);
    if (!save) {
      const json = { key, revision, changes, comment };
      const { id, url } = await caller.object("/proposals.json", { json });
      return { state: "proposed", id: Number(id), url: `${caller.baseUrl}${String(url)}` };
    }
    const members = { ...(await caller.object(`${key}.json`)), ...changes, _comment: comment };
    const kept = Object.entries(members).filter(([, value]) => value !== null);
    const saved = await caller.object(`${key}.json`, {
      method: "PUT",
      json: Object.fromEntries(kept),
      headers: { "If-Match": `"${revision}"` },
    });
    const url = caller.baseUrl + key;
    const { revision: stored } = saved;
    return typeof stored === "number"
      ? { state: "saved", url, revision: stored }
      : { state: "unchanged", url };
  },
});
