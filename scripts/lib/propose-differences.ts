import { mergeRecords } from "../../src/catalog/editing/three-way.ts";
import {
  type CatalogRecord,
  type Json,
  elementsOf,
  isGone,
  isObject,
  typeKeyOf,
} from "../../src/catalog/record.ts";
import type { Source } from "./propose-source.ts";
import { RefusedError, type Target, call, request } from "./service.ts";

/** Records per page: their documents are in memory at the same time, three of each. */
const PAGE_RECORDS = 50;
/** Members whose values are numbers of the cover store of one service. */
const LOCAL_MEMBERS = new Set(["covers", "photos"]);
const KEY = /^\/(?:works|books|authors)\//;

/** Row of `/system/local-edits.json`; revision 0 for an unknown key. */
interface LocalEdit {
  key: string;
  type: string;
  revision: number;
  base: number | null;
}

type State =
  | "differs"
  | "conflict"
  | "left out"
  | "source has it"
  | "not edited"
  | "new here"
  | "gone here"
  | "gone there"
  | "not here"
  | "not there"
  | "not comparable";

/** Comparison of a record that was edited here with the source's. */
export interface Difference {
  key: string;
  state: State;
  revision: number;
  base: number | null;
  /** Revision there; null if the source has no such record. */
  there: number | null;
  /** Members that can be sent; null removes one. */
  changes: CatalogRecord;
  members: { name: string; ours: Json; theirs: Json; conflict: boolean }[];
  /** Members that are never sent, and why. */
  left_out: Record<string, string>;
}

export interface Compared {
  difference: Difference;
  /** Record of the source; undefined for what cannot be sent. */
  theirs?: CatalogRecord;
  /** Merges into a newer record of the source. */
  merge?(theirs: CatalogRecord): Difference;
}

interface Options {
  target: Target;
  source: Source;
  prefersOurs: boolean;
}

/** Reads the records that were edited here, page by page; with keys these, edited or not. */
async function* readPages(target: Target, keys: readonly string[]): AsyncGenerator<LocalEdit[]> {
  for (let at = 0; at < keys.length; at += PAGE_RECORDS) {
    const part = keys.slice(at, at + PAGE_RECORDS);
    const found = new Map((await readOrigins(target, part)).map((edit) => [edit.key, edit]));
    yield part.map((key) => found.get(key) ?? { key, type: "", revision: 0, base: null });
  }
  let after: string | null = keys.length === 0 ? "0" : null;
  while (after !== null) {
    const path = `/system/local-edits.json?limit=${PAGE_RECORDS}&after=${after}`;
    const { edits, next }: { edits: LocalEdit[]; next: string | null } = await call(target, path);
    yield edits;
    after = next;
  }
}

async function readOrigins(target: Target, keys: readonly string[]): Promise<LocalEdit[]> {
  const path = `/system/local-edits.json?keys=${encodeURIComponent(JSON.stringify(keys))}`;
  return (await call(target, path)).edits;
}

/** Compares the edited records with the source, in the order of their latest changes; given ones in the order of keys. */
export async function* compareRecords(options: Options, keys: readonly string[]): AsyncGenerator<Compared> {
  for await (const edits of readPages(options.target, keys)) yield* await comparePage(options, edits);
}

async function comparePage(
  { target, source, prefersOurs }: Options,
  edits: LocalEdit[],
): Promise<Compared[]> {
  const open = edits.filter((edit) => stateHere(edit) === undefined);
  const records = await source.readRecords(open.map(({ key }) => key));
  const versions = new Map<string, { base: CatalogRecord; ours: CatalogRecord }>();
  for (const { key, revision, base: number } of open) {
    if (number === null || !records.has(key)) continue;
    const ours = await readRevision(target, key, revision);
    const base = (await readRevision(target, key, number)) ?? (await source.readRevision(key, number));
    if (ours !== undefined && base !== undefined) versions.set(key, { base, ours });
  }
  const localKeys = await findLocalKeys(target, [...versions.values()]);
  return edits.map((edit) => {
    const { key, revision, base } = edit;
    const theirs = records.get(key);
    const own = versions.get(key);
    if (theirs !== undefined && own !== undefined) {
      const merge = (newer: CatalogRecord) =>
        toDifference(edit, { ...own, theirs: newer }, { prefersOurs, localKeys });
      return { difference: merge(theirs), theirs, merge };
    }
    const state = stateHere(edit) ?? (theirs === undefined ? "not there" : "not comparable");
    const there = revisionOf(theirs);
    return { difference: { key, state, revision, base, there, changes: {}, members: [], left_out: {} } };
  });
}

function stateHere({ key, type, revision, base }: LocalEdit): State | undefined {
  if (revision === 0) return "not here";
  if (base === revision || !KEY.test(key)) return "not edited";
  if (base === null) return "new here";
  return isGone(type) ? "gone here" : undefined;
}

function toDifference(
  { key, type, revision, base }: LocalEdit,
  versions: Record<"base" | "ours" | "theirs", CatalogRecord>,
  { prefersOurs, localKeys }: { prefersOurs: boolean; localKeys: ReadonlySet<string> },
): Difference {
  const common = { key, revision, base, there: revisionOf(versions.theirs) };
  if (typeKeyOf(versions.theirs) !== type)
    return { ...common, state: "gone there", changes: {}, members: [], left_out: {} };
  const merge = mergeRecords(versions, { prefersOurs });
  const leftOut: Record<string, string> = {};
  for (const [name, value] of Object.entries(merge.changes)) {
    const localKey = [...referencesIn(value)].find((reference) => localKeys.has(reference));
    if (LOCAL_MEMBERS.has(name)) leftOut[name] = "has numbers of images of this service";
    else if (localKey !== undefined) leftOut[name] = `names ${localKey}, which was made here`;
  }
  const changes = Object.fromEntries(Object.entries(merge.changes).filter(([name]) => !(name in leftOut)));
  const members = merge.members.map(({ name, ours, theirs, isConflict: conflict }) => {
    return { name, ours, theirs, conflict };
  });
  const isConflict = members.some(({ conflict }) => conflict);
  const rest = isConflict ? "conflict" : members.length > 0 ? "left out" : "source has it";
  const state = Object.keys(changes).length > 0 ? "differs" : rest;
  return { ...common, state, changes, members, left_out: leftOut };
}

function revisionOf(record: CatalogRecord | undefined) {
  const revision = record?.["revision"];
  return typeof revision === "number" ? revision : null;
}

/** Returns the keys of records in a value that records refer to. */
function* referencesIn(value: Json | undefined): Generator<string> {
  if (typeof value === "string" && KEY.test(value)) yield value;
  const inner = isObject(value) ? Object.values(value) : elementsOf(value);
  for (const part of inner) yield* referencesIn(part);
}

/** Returns the records that the changes name and that were made here: their keys may be of other records there. */
async function findLocalKeys(
  target: Target,
  versions: readonly { base: CatalogRecord; ours: CatalogRecord }[],
): Promise<Set<string>> {
  const named = versions.flatMap(({ base, ours }) => {
    const known = new Set(referencesIn(base));
    return [...referencesIn(ours)].filter((key) => !known.has(key));
  });
  const keys = [...new Set(named)];
  const found = new Set<string>();
  for (let at = 0; at < keys.length; at += PAGE_RECORDS) {
    for (const { key, base } of await readOrigins(target, keys.slice(at, at + PAGE_RECORDS)))
      if (base === null) found.add(key);
  }
  return found;
}

/** Reads a revision of this service, as readers see it. */
async function readRevision(
  target: Target,
  key: string,
  revision: number,
): Promise<CatalogRecord | undefined> {
  try {
    const record: unknown = JSON.parse(
      await request(target, `${target.url}${encodeURI(key)}.json?v=${revision}`),
    );
    return isObject(record) ? record : undefined;
  } catch (error) {
    if (error instanceof RefusedError) return undefined;
    throw error;
  }
}
