import { beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { indexAll } from "../../support/worker/indexing.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService({ BASE_URL: "https://books.example" });

// Members of these responses as the JSON schemas of version 0.2 require them
// (https://www.w3.org/community/reports/reconciliation/CG-FINAL-specs-0.2-20230410/).
const template = z.url().includes("{{id}}");
const named = z.strictObject({ id: z.string(), name: z.string(), description: z.string().optional() });
const place = z.strictObject({ service_url: z.url(), service_path: z.string().startsWith("/") });
const manifest = z.strictObject({
  versions: z.array(z.string()).refine((versions) => versions.includes("0.2")),
  name: z.string(),
  identifierSpace: z.url(),
  schemaSpace: z.url(),
  documentation: z.url(),
  logo: z.url(),
  view: z.strictObject({ url: template }),
  defaultTypes: z.array(named).min(1),
  suggest: z.strictObject({ entity: place, property: place, type: place }),
  preview: z.strictObject({ url: template, width: z.int(), height: z.int() }),
  extend: z.strictObject({ propose_properties: place, property_settings: z.array(z.never()) }),
});
const candidate = named.extend({
  score: z.number(),
  match: z.boolean(),
  type: z.array(named),
  features: z.array(z.strictObject({ id: z.string(), value: z.union([z.number(), z.boolean()]) })),
});
const batch = z.record(z.string(), z.strictObject({ result: z.array(candidate) }));
const cell = z.union([
  z.strictObject({ id: z.string(), name: z.string() }),
  z.strictObject({ str: z.string() }),
  z.strictObject({ int: z.int() }),
]);
const extension = z.strictObject({
  meta: z.array(named.omit({ description: true }).extend({ type: named.optional() })),
  rows: z.record(z.string(), z.record(z.string(), z.array(cell))),
});
const entities = z.strictObject({
  result: z.array(named.extend({ notable: z.array(z.string()) })).min(1),
});
const suggestions = z.strictObject({ result: z.array(named).min(1) });

beforeAll(async () => {
  await service.load(
    author(1, { name: "Jane Doe", birth_date: "1900" }),
    work(1, { authors: [1], title: "Rivers", subjects: ["Rivers", "Love"], subject_places: ["Paris"] }),
    edition(1, {
      work: 1,
      title: "Rivers",
      subtitle: "of ink",
      publish_date: "1901",
      isbn_10: ["0451526538"],
    }),
    work(2, { title: "" }),
  );
  await indexAll();
});

const json = (value: unknown): string => encodeURIComponent(JSON.stringify(value));
const QUERIES = {
  works: { query: "rivers", properties: [{ pid: "author", v: "Doe" }] },
  all: { query: "rivers", type: ["work", "edition", "author", "subject"] },
  author: { query: "Jane Doe", type: "author" },
  known: { query: "OL1W" },
  nothing: { query: "no such name" },
};
const PROPERTIES = ["author", "year", "isbn", "subject", "birth_date", "work_count", "kind", "fish"];
const EXTENSION = {
  ids: ["OL1W", "OL1M", "OL1A", "subject:love", "place:paris", "OL9W"],
  properties: PROPERTIES.map((id) => ({ id })),
};

it.each([
  ["/reconcile", manifest],
  [`/reconcile?queries=${json(QUERIES)}`, batch],
  [`/reconcile?extend=${json(EXTENSION)}`, extension],
  ["/reconcile/suggest/entity?prefix=ri", entities],
  ["/reconcile/suggest/type?prefix=w", suggestions],
  ["/reconcile/suggest/property?prefix=a", suggestions],
])("%s conforms to the JSON schemas of version 0.2", async (path, schema) => {
  const read = schema.safeParse(await service.json(path));
  expect(read.error?.issues).toBeUndefined();
});
