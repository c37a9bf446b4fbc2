import { ByteBudget, READ_DOCUMENT_BYTES } from "../../catalog/bytes.ts";
import { latestRecordOf } from "../../catalog/document.ts";
import { computeRevisionsEtag } from "../../catalog/etag.ts";
import { workNumberOfKey } from "../../catalog/keys.ts";
import { coverUrlsOf, workKeyOf } from "../../catalog/lookup/bundle.ts";
import { type Expansion, type RecordPart, PARTS, expandReferences } from "../../catalog/lookup/expand.ts";
import {
  type CatalogRecord,
  type Json,
  type JsonObject,
  keyOf,
  resolveRecord,
  typeKeyOf,
} from "../../catalog/record.ts";
import { readWorkCounts } from "../../db/patrons/counts.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { readReached } from "../../db/records/reached.ts";
import { summarizeRatings } from "../../search/documents/popularity.ts";
import { type WorkCounts, NO_COUNTS } from "../../search/documents/types.ts";
import { matchesGlob } from "../../search/query/query.ts";
import { type RequestContext, catalogReader, coversUrl } from "../http/operation.ts";
import { type Reply, REVALIDATE } from "../http/reply.ts";
import { readAvailabilities } from "../lending/availability.ts";
import type { PartSelection } from "./part-parameters.ts";

/** Returns a test for the members that `fields` names, by names and globs; all without any. */
export function memberTestOf(fields: readonly string[]): (member: string) => boolean {
  if (fields.length === 0) return () => true;
  const globs = fields.filter((field) => field.includes("*")).map((field) => field.split("*"));
  return (member) => fields.includes(member) || globs.some((parts) => matchesGlob(member, parts));
}

/** Returns the members of a record that a test passes, after its key. */
export function pickMembers({ key, ...members }: CatalogRecord, isShown: (member: string) => boolean) {
  return { key, ...Object.fromEntries(Object.entries(members).filter(([member]) => isShown(member))) };
}

export const EXPANDED_HEADER = "X-Carrel-Expanded";

interface PartsContext {
  readonly parts: ReadonlySet<RecordPart>;
  readonly isShown: (member: string) => boolean;
  readonly rows: readonly RecordRow[];
  /** Records read, by key. */
  readonly reached: ReadonlyMap<string, CatalogRecord>;
  readonly counts: ReadonlyMap<number, WorkCounts>;
  readonly availability: Awaited<ReturnType<typeof readAvailability>>;
  readonly coversUrl: string;
}

/** Records of an answer: those that were read, and keys of others. `reached`: the records that they show, if they were read. */
interface ShownRecords {
  readonly records?: readonly CatalogRecord[];
  readonly keys?: readonly string[];
  readonly reached?: readonly RecordRow[] | undefined;
}

/**
 * Reads the parts of the records of an answer, all at once: records by one statement, ratings by another, availability as
 * `/availability/v2` does. Ratings of works that were not known follow.
 */
export async function readParts(
  { expand = [], fields = [] }: PartSelection,
  { records = [], keys = [], reached: known }: ShownRecords,
  context: RequestContext,
): Promise<Parts> {
  const parts = new Set(expand);
  const isShown = memberTestOf(fields);
  const wanted = new Set(keys);
  const collect = (key: string) => {
    wanted.add(key);
    return undefined;
  };
  for (const record of records) expandReferences(record, { parts, isShown, replace: collect });
  const named = [...keys, ...records.flatMap((record) => keyOf(record) ?? [])];
  const works = parts.has("ratings")
    ? [...named, ...records.flatMap((record) => workKeyOf(record) ?? [])]
    : [];
  for (const key of works) wanted.add(key);
  const [rows, counts, availability] = await Promise.all([
    known ?? (parts.size === 0 ? [] : readReached(catalogReader(context), [...wanted], parts)),
    readCounts(works, context),
    readAvailability(parts.has("availability") ? named : [], context),
  ]);
  const reached = new Map(rows.map((row) => [row.key, latestRecordOf(row)]));
  const shown = works.length === 0 ? [] : [...records, ...keys.map((key) => reached.get(key) ?? {})];
  const others = shown.map((record) => ratedWorkOf(record, reached)).filter((key) => !works.includes(key));
  const more = await readCounts(others, context);
  return new Parts({
    parts,
    isShown,
    rows,
    reached,
    counts: new Map([...counts, ...more]),
    availability,
    coversUrl: coversUrl(context),
  });
}

/** Reads the records that the entries of an answer name by key. An entry gets its record with `expand` (Q812). */
export async function readEntryRecords(
  { expand, fields = [] }: PartSelection,
  keys: readonly string[],
  context: RequestContext,
) {
  const isShown = memberTestOf(fields);
  const parts = await readParts({ expand: isShown("record") ? expand : [] }, { keys }, context);
  const show = (key: string, entry: JsonObject): JsonObject => {
    const record = parts.recordOf(key);
    return pickMembers({ key, ...entry, ...(record && { record }) }, isShown);
  };
  return { show, parts, isShown };
}

function readCounts(works: readonly string[], { stores }: RequestContext): Promise<Map<number, WorkCounts>> {
  const numbers = works.flatMap((key) => workNumberOfKey(key) ?? []);
  return readWorkCounts(stores.patrons.withSession("first-unconstrained"), [...new Set(numbers)]);
}

async function readAvailability(keys: readonly string[], context: RequestContext) {
  const works = keys.filter((key) => key.startsWith("/works/"));
  const editions = keys.filter((key) => key.startsWith("/books/"));
  const answers = await Promise.all([
    works.length === 0 ? [] : readAvailabilities(context, "openlibrary_work", works),
    editions.length === 0 ? [] : readAvailabilities(context, "openlibrary_edition", editions),
  ]);
  return {
    byKey: new Map(answers.flat().flatMap(({ byId }) => Array.from(byId))),
    hasAnswered: answers.flat().every(({ hasAnswered }) => hasAnswered),
  };
}

/** Returns the key of the work whose ratings a record shows: its own, or that of the first work of an edition. */
function ratedWorkOf(record: CatalogRecord, reached: ReadonlyMap<string, CatalogRecord>): string {
  const key = (typeKeyOf(record) === "/type/edition" ? workKeyOf(record) : keyOf(record)) ?? "";
  return keyOf(resolveRecord(reached, key)) ?? key;
}

/** Parts of the records of one answer. */
export class Parts {
  private readonly read: PartsContext;
  private readonly added = new Set<RecordPart>();
  private readonly replacements = new Map<string, CatalogRecord>();
  private readonly volatile: Json[] = [];
  private readonly budget = new ByteBudget(READ_DOCUMENT_BYTES);

  constructor(read: PartsContext) {
    this.read = read;
  }

  rowOf(key: string): RecordRow | undefined {
    return this.read.rows.find((row) => row.key === key);
  }

  /** Returns a record with its parts, only with the members that are shown. Throws `ResponseTooLarge`. */
  show(record: CatalogRecord, key = keyOf(record) ?? ""): CatalogRecord {
    const { parts, isShown } = this.read;
    const expanded = expandReferences(record, { parts, isShown, replace: this.replace });
    const shown = pickMembers({ ...expanded, ...this.numbersOf(record, key) }, isShown);
    this.budget.spendJson(shown);
    return shown;
  }

  /** Returns the record of a key, or of its target, with its parts. */
  recordOf(key: string): CatalogRecord | undefined {
    const record = resolveRecord(this.read.reached, key);
    return record && this.show(record, key);
  }

  /** Returns the reply of an answer with parts: tag and cached records cover them, and a header has their names. */
  reply<Answer extends Omit<Partial<Reply>, "body">>(answer: Answer): Answer {
    const { parts, rows, availability } = this.read;
    if (parts.size === 0) return answer;
    const { lastModified: _time, etag, ...reply } = answer;
    const names = PARTS.filter((part) => this.added.has(part)).join(", ");
    return {
      ...(reply as Answer),
      // An answer without a tag shows more than records.
      ...(etag && { etag: `${etag}-${computeRevisionsEtag(rows, JSON.stringify(this.volatile))}` }),
      cacheControl: reply.cacheControl?.startsWith("public") ? REVALIDATE : reply.cacheControl,
      headers: {
        ...reply.headers,
        ...(names !== "" && { [EXPANDED_HEADER]: names }),
        ...(!availability.hasAnswered && { "X-Lending-Error": "the lending service does not answer" }),
      },
      records: [...new Set([...(reply.records ?? []), ...rows.map(({ key }) => key)])],
      isVolatile: reply.isVolatile === true || parts.has("ratings") || parts.has("availability"),
    };
  }

  private readonly replace: Expansion["replace"] = (key, { part, to }) => {
    const record = resolveRecord(this.read.reached, key);
    if (record === undefined) return undefined;
    const isDeleted = typeKeyOf(record) === "/type/delete";
    if (!isDeleted && typeKeyOf(record) !== to) return undefined;
    if (part !== undefined) this.added.add(part);
    const known = this.replacements.get(key);
    if (known !== undefined) return known;
    const shown = pickMembers(record, (member) => !isDeleted || member === "type");
    const replacement = expandReferences(shown, { parts: this.read.parts, replace: this.replace });
    this.replacements.set(key, replacement);
    return replacement;
  };

  /** Returns the wanted parts of a record that are not records. */
  private numbersOf(record: CatalogRecord, key: string): CatalogRecord {
    const { counts, reached, availability, coversUrl: base, parts, isShown } = this.read;
    const work = workNumberOfKey(ratedWorkOf(record, reached));
    const ratings =
      work === undefined ? undefined : summarizeRatings((counts.get(work) ?? NO_COUNTS).ratings);
    const members = { cover: coverUrlsOf(base, record), ratings, availability: availability.byKey.get(key) };
    const wanted = PARTS.flatMap((part) => {
      const value = part in members ? members[part as keyof typeof members] : undefined;
      return value !== undefined && parts.has(part) && isShown(part) ? [[part, value] as const] : [];
    });
    for (const [part, value] of wanted) {
      this.added.add(part);
      if (part !== "cover") this.volatile.push(value);
    }
    return Object.fromEntries(wanted);
  }
}
