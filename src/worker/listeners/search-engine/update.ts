import { SHELVES } from "../../../catalog/patrons/shelves.ts";
import type { CatalogRecord } from "../../../catalog/record.ts";
import { readAllProgress } from "../../../db/indexing/cursor.ts";
import { applyUpdate } from "../../../db/indexing/apply.ts";
import { type Generation, readIndexState, writtenGenerations } from "../../../db/search/generation.ts";
import { patchCounts, patchTrending } from "../../../db/indexing/patch.ts";
import { type WorkCounts, workCounts } from "../../../search/documents/types.ts";
import type { Document, Update } from "../../../search/engine.ts";
import { workIdOfKey } from "../../../search/indexing/ids.ts";
import type { Trending } from "../../../search/documents/stored.ts";
import { type FlatUpdate, flatUpdate } from "../../../search/solr/flat-documents.ts";
import { UnusableDocument, countOf, wholeOf } from "../../../search/solr/members.ts";
import { SolrRequestError, rawSelection } from "../../../search/solr/queries.ts";
import { type UpdateCommand, jsonCommands, xmlCommands } from "../../../search/solr/update-commands.ts";
import { type Reply, json } from "../../http/reply.ts";
import { type EngineCall, numberOf, responseHeader } from "./call.ts";
import { searchAll } from "./search-all.ts";

/** New values of numeric fields of a work. */
type Patch = Extract<FlatUpdate, { kind: "patch" }>;

const COUNT = new RegExp(
  `^(?:ratings_count_[1-5]|(?:${SHELVES.map(({ count }) => count).join("|")})_count)$`,
);
const TRENDING = /^trending_(?:z_score|score_hourly_sum|score_hourly_\d{1,2}|score_daily_\d)$/;
/** What follows from the counts: taken, and computed anew. */
const DERIVED = /^(?:ratings_(?:count|average|sortable)|readinglog_count)$/;
const HOURS_PER_DAY = 24;
const DAYS_PER_WEEK = 7;

/**
 * Sets counts and trending values of a work in place; works that the index lacks are ignored. Throws
 * UnusableDocument for other fields, documents and kinds of numbers.
 */
async function patchWork({ key, values }: Patch, target: UpdateTarget): Promise<void> {
  const { call, generations } = target;
  const names = Object.keys(values).filter((name) => !DERIVED.test(name));
  const unknown = names.find((name) => !COUNT.test(name) && !TRENDING.test(name));
  if (unknown !== undefined) throw new UnusableDocument(`field '${unknown}' cannot be updated in place`);
  const id = workIdOfKey(key, call.context.settings.RECORD_PREFIX);
  if (id === undefined) throw new UnusableDocument("only works are updated in place");
  for (const name of names) check(name, values[name]);
  const [document] = await call.engine.getMany([key]);
  if (document === undefined) return;
  const patched = { ...document, ...values };
  const database = call.context.stores.search;
  for (const generation of generations) {
    if (names.some((name) => COUNT.test(name))) {
      await patchCounts(database, generation, [{ id, counts: countsOf(patched) }]);
    }
    if (names.some((name) => TRENDING.test(name))) {
      await patchTrending(database, generation, [{ id, trending: trendingOf(patched) }]);
    }
  }
}

/** Throws for a number that the field cannot have. */
function check(name: string, value = 0): void {
  if (COUNT.test(name)) countOf(value, name);
  else if (name !== "trending_z_score") wholeOf(value, name);
  else if (!Number.isFinite(value)) throw new UnusableDocument(`field '${name}' takes numbers`);
}

function countsOf(document: Document): WorkCounts {
  return workCounts(
    (stars) => numberOf(document[`ratings_count_${stars}`]),
    ({ count }) => numberOf(document[`${count}_count`]),
  );
}

function trendingOf(document: Document): Trending {
  const slots = (name: string, length: number): number[] =>
    Array.from({ length }, (_, slot) => numberOf(document[`trending_score_${name}_${slot}`]));
  return {
    hourlySum: numberOf(document["trending_score_hourly_sum"]),
    zScore: numberOf(document["trending_z_score"]),
    slots: { hourly: slots("hourly", HOURS_PER_DAY), daily: slots("daily", DAYS_PER_WEEK) },
  };
}

/** Documents that one deletion by a query may take away. */
const DELETED_RECORDS_MAX = 10_000;

/** A document that was not taken. */
interface DocumentError {
  readonly type: "ADD" | "DELQ";
  readonly id: string;
  readonly message: string;
}

/** Where updates go, and as of which change. */
interface UpdateTarget {
  readonly call: EngineCall;
  readonly generations: readonly Generation[];
  /** The newest change of the catalog: what the indexer builds later goes before it. */
  readonly version: number;
}

/**
 * `/update`: documents and deletions, in order. A document that cannot be taken fails alone. What is
 * written is found at once, whatever is said of commits.
 */
export async function update(call: EngineCall, readJson = jsonCommands): Promise<Reply> {
  const commands = commandsOf(call, readJson);
  const { stores } = call.context;
  const [state, { end: version }] = await Promise.all([
    readIndexState(stores.search),
    readAllProgress(stores.catalog),
  ]);
  const target = { call, generations: writtenGenerations(state), version };
  const errors: DocumentError[] = [];
  for (const step of stepsOf(commands)) errors.push(...(await run(step, target)));
  return json({ responseHeader: { errors, maxErrors: -1, ...responseHeader(call) } });
}

/** `/update/json/docs`: there one document may stand by itself, which would be an object of commands elsewhere. */
export function updateWithDocuments(call: EngineCall): Promise<Reply> {
  return update(call, (body) => jsonCommands(body.trimStart().startsWith("{") ? `[${body}]` : body));
}

function commandsOf(
  { context, body, parameters }: EngineCall,
  readJson: typeof jsonCommands,
): UpdateCommand[] {
  if (body.trim() === "") {
    const isCommit = parameters.has("commit") || parameters.has("optimize") || parameters.has("softCommit");
    if (isCommit) return [];
    throw new SolrRequestError("missing content stream");
  }
  const type = context.request.headers.get("Content-Type") ?? "";
  return /xml/.test(type) || body.trimStart().startsWith("<") ? xmlCommands(body) : readJson(body);
}

/** Commands that can be done at once: documents that follow each other, or one other command. */
type Step = readonly CatalogRecord[] | Exclude<UpdateCommand, { kind: "add" }>;

function stepsOf(commands: readonly UpdateCommand[]): Step[] {
  const steps: Step[] = [];
  let additions: CatalogRecord[] | undefined;
  for (const command of commands) {
    if (command.kind !== "add") {
      additions = undefined;
      steps.push(command);
    } else if (additions === undefined) {
      additions = [command.document];
      steps.push(additions);
    } else additions.push(command.document);
  }
  return steps;
}

async function run(step: Step, target: UpdateTarget): Promise<DocumentError[]> {
  // Lists are the only steps without a kind.
  if (!("kind" in step)) return add(step, target);
  if (step.kind === "delete") await deleteKeys(step.keys, target);
  return step.kind === "delete-matching" ? deleteMatching(step.query, target) : [];
}

async function add(documents: readonly CatalogRecord[], target: UpdateTarget): Promise<DocumentError[]> {
  const errors: DocumentError[] = [];
  const usable: FlatUpdate[] = [];
  for (const document of documents) {
    try {
      usable.push(flatUpdate(document));
    } catch (error) {
      refused(errors, idOf(document))(error);
    }
  }
  await apply(updateOf(usable, target.version), target);
  for (const patch of usable) {
    if (patch.kind === "patch") await patchWork(patch, target).catch(refused(errors, patch.key));
  }
  return errors;
}

/** Notes that a document was not taken, and goes on. */
function refused(errors: DocumentError[], id: string): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof UnusableDocument)) throw error;
    errors.push({ type: "ADD", id, message: error.message });
  };
}

/** The key of a document, as it was sent: an object may be one that cannot be made a text of. */
function idOf({ key = "" }: CatalogRecord): string {
  return typeof key === "string" ? key : JSON.stringify(key);
}

function updateOf(documents: readonly FlatUpdate[], version: number): Update {
  return {
    works: documents.flatMap((one) => (one.kind === "work" ? [{ version, document: one.document }] : [])),
    authors: documents.flatMap((one) => (one.kind === "author" ? [{ version, document: one.document }] : [])),
    lists: documents.flatMap((one) => (one.kind === "list" ? [{ version, document: one.document }] : [])),
    deletes: [],
  };
}

function apply(changes: Update, { call, generations }: UpdateTarget): Promise<void> {
  const { stores, settings, now } = call.context;
  return applyUpdate(stores.search, changes, { generations, prefix: settings.RECORD_PREFIX, now });
}

function deleteKeys(keys: readonly string[], target: UpdateTarget): Promise<void> {
  const { version } = target;
  const deletes = keys.map((key) => ({ key, version }));
  return apply({ works: [], authors: [], lists: [], deletes }, target);
}

async function deleteMatching(text: string, target: UpdateTarget): Promise<DocumentError[]> {
  const selection = rawSelection(text, []);
  if (selection === undefined) throw new SolrRequestError("delete: the query is empty");
  const all = { ...selection, sort: [], start: 0, rows: DELETED_RECORDS_MAX };
  const { documents, numFound } = await searchAll(target.call.engine, all);
  if (numFound > DELETED_RECORDS_MAX) {
    const message = `matches ${numFound} documents, more than ${DELETED_RECORDS_MAX}: rebuild the index instead`;
    return [{ type: "DELQ", id: text, message }];
  }
  const keys = documents.flatMap(({ key }) => (typeof key === "string" ? [key] : []));
  // Subjects are made of works; they go when the last of their works goes.
  await deleteKeys(
    keys.filter((key) => !key.startsWith("/subjects/")),
    target,
  );
  return [];
}
