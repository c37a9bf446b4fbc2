import * as z from "zod";
import type { SubjectRow } from "../../search/indexing/plain-rows.ts";
import { subjectDocument } from "../../search/lucene/solr-documents.ts";
import { fieldIs } from "../../search/lucene/lucene-query.ts";
import { countEach } from "./aggregates.ts";
import { type Found, type SolrReader, numberIn, textIn } from "./reader.ts";
import { readNow } from "./write.ts";

/** Subjects that are counted in one request. */
const COUNTED_MAX = 200;

/**
 * Counts subjects anew, given by all their spellings that are to be looked at. The most frequent of these and the one before
 * names a subject (Q63); subjects without works vanish.
 */
export async function countSubjects(reader: SolrReader, subjects: readonly SubjectRow[]): Promise<void> {
  const byKey = [...Map.groupBy(subjects, ({ key }) => key).values()];
  for (let at = 0; at < byKey.length; at += COUNTED_MAX) {
    await countPage(reader, byKey.slice(at, at + COUNTED_MAX));
  }
}

async function countPage(reader: SolrReader, groups: readonly (readonly SubjectRow[])[]): Promise<void> {
  const rows = groups.flat();
  const keys = groups.flatMap(([first]) => first ?? []);
  const [works, named, known] = await Promise.all([
    countsOf(
      reader,
      keys.map(({ keyToken }) => keyToken),
    ),
    countsOf(
      reader,
      rows.map(({ nameToken }) => nameToken),
    ),
    readNow(
      reader,
      keys.map(({ key }) => key),
      ["document", "n_name_count"],
    ),
  ]);
  const commands: object[] = [];
  const gone: string[] = [];
  for (const [at, spellings] of groups.entries()) {
    const counts = spellings.map((row) => ({ row, count: named[rows.indexOf(row)] ?? 0 }));
    const [first] = spellings;
    const count = works[at] ?? 0;
    if (first === undefined) continue;
    if (count === 0) gone.push(first.key);
    else {
      const { row, count: name } = best(counts, known.get(first.key));
      commands.push(subjectDocument(row, { works: count, named: name }));
    }
  }
  if (gone.length > 0) await reader.collection.update({ delete: gone }, false);
  if (commands.length > 0) await reader.collection.update(commands, false);
}

interface Spelling {
  readonly row: SubjectRow;
  readonly count: number;
}

/** Of several spellings that are as frequent, the first one in order. */
function best(spellings: readonly Spelling[], old: Found | undefined): Spelling {
  const name = old === undefined ? undefined : String(JSON.parse(textIn(old, "document")).name);
  const [first, ...others] = spellings.toSorted(
    (a, b) => Number(b.row.name === name) - Number(a.row.name === name),
  );
  if (first === undefined) throw new Error("a subject without a name");
  const before = { ...first.row, name: name ?? first.row.name };
  const kept =
    name === undefined || first.row.name === name ? first.count : (numberIn(old ?? {}, "n_name_count") ?? 0);
  let chosen: Spelling = { row: before, count: kept };
  const compared = name === undefined || first.row.name === name ? others : [first, ...others];
  for (const one of compared) {
    const isBetter =
      one.count > chosen.count || (one.count === chosen.count && one.row.name < chosen.row.name);
    if (isBetter) chosen = one;
  }
  return chosen;
}

async function countsOf(reader: SolrReader, tokens: readonly string[]): Promise<number[]> {
  const counts: number[] = [];
  for (let at = 0; at < tokens.length; at += COUNTED_MAX) {
    const queries = tokens.slice(at, at + COUNTED_MAX).map((token) => fieldIs("work_token", token));
    for (const { count } of await countEach(reader, queries)) counts.push(count);
  }
  return counts;
}

const termsSchema = z.object({ terms: z.record(z.string(), z.array(z.union([z.string(), z.int()]))) });

/** Tokens of works between two, in their order. */
export async function tokensBetween(
  { collection }: SolrReader,
  { from, to, limit }: { readonly from: string; readonly to: string; readonly limit: number },
): Promise<string[]> {
  const field = "work_token";
  const parameters: [string, string][] = [
    ["terms.fl", field],
    ["terms.lower", from],
    ["terms.lower.incl", "false"],
    ["terms.upper", to],
    ["terms.sort", "index"],
    ["terms.limit", String(limit)],
  ];
  const { terms } = await collection.get("terms", parameters, termsSchema);
  return (terms[field] ?? []).filter((one) => typeof one === "string");
}
