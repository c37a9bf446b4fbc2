import { SHELVES } from "../../../catalog/patrons/shelves.ts";
import type { CatalogRecord } from "../../../catalog/record.ts";
import { readAllProgress } from "../../../db/indexing/log.ts";
import { type Trending, type WorkCounts, toWorkCounts } from "../../../search/documents/types.ts";
import type { Document, SearchIndex, Update } from "../../../search/engine.ts";
import { workIdOfKey } from "../../../search/indexing/ids.ts";
import {
  type FlatUpdate,
  toCount,
  parseFlatUpdate,
  UnusableDocument,
  wholeOf,
} from "../../../search/solr/flat-documents.ts";
import { SolrRequestError } from "../../../search/solr/parameters.ts";
import { kindsOf, parseRawSelection, toWholeQuery } from "../../../search/solr/queries.ts";
import {
  type UpdateCommand,
  parseJsonCommands,
  parseXmlCommands,
} from "../../../search/solr/update-commands.ts";
import type { Reply } from "../../http/reply.ts";
import { indexingOf, indexTarget } from "../../indexing/indexing.ts";
import { type EngineCall, toSolrNumber, responseHeader, writeAnswer } from "./call.ts";
import { type RawSearch, searchAll } from "./search-all.ts";

type Patch = Extract<FlatUpdate, { kind: "patch" }>;

const COUNT = new RegExp(
  `^(?:ratings_count_[1-5]|(?:${SHELVES.map(({ count }) => count).join("|")})_count)$`,
);
const TRENDING = /^trending_(?:z_score|score_hourly_sum|score_hourly_\d{1,2}|score_daily_\d)$/;
const DERIVED = /^(?:ratings_(?:count|average|sortable)|readinglog_count)$/;
const HOURS_PER_DAY = 24;
const DAYS_PER_WEEK = 7;

/** Throws UnusableDocument for values that cannot be set in place. */
function checkPatch({ key, values }: Patch, prefix: string): void {
  const names = patchedFields(values);
  const unknown = names.find((name) => !COUNT.test(name) && !TRENDING.test(name));
  if (unknown !== undefined) throw new UnusableDocument("bad_request.solr_in_place", { field: unknown });
  if (workIdOfKey(key, prefix) === undefined) throw new UnusableDocument("bad_request.solr_in_place_works");
  for (const name of names) checkValue(name, values[name]);
}

function patchedFields(values: Patch["values"]): string[] {
  return Object.keys(values).filter((name) => !DERIVED.test(name));
}

async function patchWork({ key, values }: Patch, { call, index }: UpdateTarget): Promise<void> {
  const names = patchedFields(values);
  const id = workIdOfKey(key, call.context.settings.RECORD_PREFIX);
  const [document] = await call.engine.getMany([key]);
  if (id === undefined || document === undefined) return;
  const next = { ...document, ...values };
  if (names.some((name) => COUNT.test(name))) await index.patchCounts([{ id, counts: countsOf(next) }]);
  if (names.some((name) => TRENDING.test(name))) {
    await index.patchTrending([{ id, trending: trendingOf(next) }]);
  }
}

function checkValue(name: string, value = 0): void {
  if (COUNT.test(name)) toCount(value, name);
  else if (name !== "trending_z_score") wholeOf(value, name);
  else if (!Number.isFinite(value)) throw new UnusableDocument("bad_request.solr_field_number", { name });
}

function countsOf(document: Document): WorkCounts {
  return toWorkCounts(
    (stars) => toSolrNumber(document[`ratings_count_${stars}`]),
    ({ count }) => toSolrNumber(document[`${count}_count`]),
  );
}

function trendingOf(document: Document): Trending {
  const slots = (name: string, length: number): number[] =>
    Array.from({ length }, (_, slot) => toSolrNumber(document[`trending_score_${name}_${slot}`]));
  return {
    hourlySum: toSolrNumber(document["trending_score_hourly_sum"]),
    zScore: toSolrNumber(document["trending_z_score"]),
    slots: { hourly: slots("hourly", HOURS_PER_DAY), daily: slots("daily", DAYS_PER_WEEK) },
  };
}

const MADE_OF_WORKS = /^\/(?:books|subjects)\//;
const DELETED_RECORDS_MAX = 10_000;

interface DocumentError {
  type: "ADD" | "DELID" | "DELQ";
  id: string;
  message: string;
}

interface UpdateTarget {
  call: EngineCall;
  index: SearchIndex;
  /** The newest change of the catalog: later builds of the indexer take precedence. */
  version: number;
}

/**
 * `/update`: documents and deletions, in order (Q562). All are checked before the first one is written: if one is
 * invalid none is written, unless the request asks for the tolerant chain, in which it fails alone. Written documents
 * are found at once, regardless of commit parameters.
 */
export async function update(call: EngineCall, readJson = parseJsonCommands): Promise<Reply> {
  const commands = commandsOf(call, readJson);
  const errors: DocumentError[] = [];
  const steps: Step[] = [];
  for (const command of commands) {
    try {
      addStep(steps, await prepareCommand(command, call));
    } catch (error) {
      if (!(error instanceof UnusableDocument)) throw error;
      errors.push({ ...subjectOf(command), message: error.message });
    }
  }
  const [first] = errors;
  if (first !== undefined && call.parameters.get("update.chain") !== "tolerant-chain")
    throw new SolrRequestError("bad_request.solr_document", { id: first.id, reason: first.message });
  const { stores, settings, sources } = call.context;
  const [{ index }, { end: version }] = await Promise.all([
    indexTarget(indexingOf(stores, settings, sources)),
    readAllProgress(stores.catalog),
  ]);
  const target = { call, index, version };
  for (const step of steps) await runStep(step, target);
  return writeAnswer(call, { responseHeader: { errors, maxErrors: -1, ...responseHeader(call) } });
}

/** `/update/json/docs`: a single document may be the whole body, which elsewhere would be an object of commands. */
export function updateWithDocuments(call: EngineCall): Promise<Reply> {
  return update(call, (body) => parseJsonCommands(body.trimStart().startsWith("{") ? `[${body}]` : body));
}

function commandsOf({ context, body, parameters }: EngineCall, readJson: typeof parseJsonCommands) {
  if (body.trim() === "") {
    const isCommit = parameters.has("commit") || parameters.has("optimize") || parameters.has("softCommit");
    if (isCommit) return [];
    throw new SolrRequestError("bad_request.solr_no_content");
  }
  const type = context.request.headers.get("Content-Type") ?? "";
  return /xml/.test(type) || body.trimStart().startsWith("<") ? parseXmlCommands(body) : readJson(body);
}

/** Commands that run together: consecutive documents, or one deletion. */
type Step = FlatUpdate[] | readonly string[] | RawSearch;
type PreparedCommand = FlatUpdate | Exclude<Step, FlatUpdate[]>;

/** Checks and converts a command. Throws UnusableDocument, or SolrRequestError for a query. */
async function prepareCommand(
  command: UpdateCommand,
  { engine, context }: EngineCall,
): Promise<PreparedCommand | undefined> {
  switch (command.kind) {
    case "add": {
      const document = parseFlatUpdate(command.document);
      if (document.kind === "patch") checkPatch(document, context.settings.RECORD_PREFIX);
      return document;
    }
    case "delete":
      if (command.keys.some((key) => MADE_OF_WORKS.test(key)))
        throw new UnusableDocument("bad_request.solr_parts");
      return command.keys;
    case "delete-matching": {
      const selection = parseRawSelection(command.query, []);
      if (selection === undefined)
        throw new SolrRequestError("bad_request.solr_missing", { name: "delete.query" });
      if (kindsOf(toWholeQuery(selection)).includes("edition"))
        throw new UnusableDocument("bad_request.solr_parts");
      const search = { ...selection, sort: [], start: 0, rows: DELETED_RECORDS_MAX };
      const { numFound } = await searchAll(engine, { ...search, rows: 0 });
      if (numFound <= DELETED_RECORDS_MAX) return search;
      throw new UnusableDocument("bad_request.solr_matches", { found: numFound, most: DELETED_RECORDS_MAX });
    }
    case "commit":
      return undefined;
  }
}

function addStep(steps: Step[], next: PreparedCommand | undefined): void {
  const last = steps.at(-1);
  if (next === undefined) return;
  if (!("kind" in next)) steps.push(next);
  else if (isDocuments(last)) last.push(next);
  else steps.push([next]);
}

function isDocuments(step: Step | undefined): step is FlatUpdate[] {
  return Array.isArray(step) && step.some((item) => typeof item === "object");
}

async function runStep(step: Step, target: UpdateTarget): Promise<void> {
  if (isDocuments(step)) {
    await target.index.apply(updateOf(step, target.version));
    for (const patch of step) if (patch.kind === "patch") await patchWork(patch, target);
  } else if ("query" in step) await deleteMatching(step, target);
  else await deleteKeys(step, target);
}

function subjectOf(command: UpdateCommand): Pick<DocumentError, "type" | "id"> {
  if (command.kind === "delete-matching") return { type: "DELQ", id: command.query };
  if (command.kind === "delete") return { type: "DELID", id: command.keys.join(",") };
  return { type: "ADD", id: command.kind === "add" ? idOf(command.document) : "" };
}

/** Returns the key of a document as it was sent: an object may not be convertible to text. */
function idOf({ key = "" }: CatalogRecord): string {
  return typeof key === "string" ? key : JSON.stringify(key);
}

function updateOf(documents: readonly FlatUpdate[], version: number): Update {
  return {
    works: documents.flatMap((item) => (item.kind === "work" ? [{ version, document: item.document }] : [])),
    authors: documents.flatMap((item) =>
      item.kind === "author" ? [{ version, document: item.document }] : [],
    ),
    lists: documents.flatMap((item) => (item.kind === "list" ? [{ version, document: item.document }] : [])),
    deletes: [],
  };
}

function deleteKeys(keys: readonly string[], { index, version }: UpdateTarget): Promise<void> {
  const deletes = keys.map((key) => ({ key, version }));
  return index.apply({ works: [], authors: [], lists: [], deletes });
}

async function deleteMatching(search: RawSearch, target: UpdateTarget): Promise<void> {
  const { documents } = await searchAll(target.call.engine, { ...search, fields: ["key"] });
  const keys = documents.flatMap(({ key }) => (typeof key === "string" ? [key] : []));
  // Subjects are derived from works; they are deleted with the last of their works.
  await deleteKeys(
    keys.filter((key) => !key.startsWith("/subjects/")),
    target,
  );
}
