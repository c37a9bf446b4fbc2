import * as z from "zod";
import { parseIsbn } from "../../catalog/identifiers/isbn.ts";
import { stringsOf } from "../../catalog/record.ts";
import {
  type Entity,
  type EntityType,
  ENTITY_TYPES,
  keyOfEntity,
  toTypeReference,
} from "../../search/reconcile/entities.ts";
import {
  type RequestedValue,
  type Property,
  PROPERTIES,
  valuesOfProperty,
} from "../../search/reconcile/properties.ts";
import { type CandidateRequest, type Candidate, isMatch } from "../../search/reconcile/score.ts";
import { Failure, failure } from "../http/failure.ts";
import type { RequestContext } from "../http/operation.ts";
import { countQueries } from "../http/rate-limit.ts";
import { queryJson } from "../http/request-body.ts";
import { findCandidates, readEntities } from "./candidates.ts";

const RECONCILE_QUERIES_MAX = 50;
const CONCURRENT_QUERIES = 5;
const RECONCILE_CANDIDATES = { default: 10, max: 50 };
const PROPERTIES_MAX = 20;
const VALUES_MAX = 10;
/** Longest JSON of a request, in UTF-16 units. */
export const RECONCILE_JSON_LENGTH = 262_144;

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const propertyValue = z.union([scalar, z.object({ id: z.string(), name: z.string().optional() })]);
const propertyValues = z.union([propertyValue, z.array(propertyValue).max(VALUES_MAX)]);
/** Programs send null for an empty cell. */
const queryObject = z.object({
  query: scalar.nullish(),
  type: z.union([z.string(), z.array(z.string()).max(PROPERTIES_MAX)]).nullish(),
  limit: z.union([z.number(), z.string()]).nullish(),
  properties: z
    .array(z.object({ pid: z.string(), v: propertyValues.nullish() }))
    .max(PROPERTIES_MAX)
    .nullish(),
});
type ReconcileQuery = z.output<typeof queryObject>;

const candidate = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  type: z.array(z.object({ id: z.string(), name: z.string() })),
  score: z.number(),
  match: z.boolean(),
  features: z.array(z.object({ id: z.string(), value: z.union([z.number(), z.boolean()]) })),
});
export const resultSchema = z.object({ result: z.array(candidate) }).meta({ id: "ReconciliationResult" });
type Result = z.output<typeof resultSchema>;
const NO_RESULT: Result = { result: [] };

/** Parses the JSON of a parameter by a schema. Throws 400. */
function readJson<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  const result = schema.safeParse(queryJson(text, RECONCILE_JSON_LENGTH));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw failure("bad_data.query", { problem: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}` });
}

/** Runs a batch of named queries. An invalid query has no candidates (Q672). Throws 400 for an invalid batch. */
export async function runBatch(text: string, context: RequestContext): Promise<Record<string, Result>> {
  const batch = Object.entries(readJson(z.record(z.string(), z.unknown()), text));
  if (batch.length > RECONCILE_QUERIES_MAX)
    throw failure("bad_data.too_many", { most: RECONCILE_QUERIES_MAX });
  countQueries(context, batch.length);
  const results: (readonly [string, Result])[] = [];
  for (let at = 0; at < batch.length; at += CONCURRENT_QUERIES) {
    const part = batch.slice(at, at + CONCURRENT_QUERIES);
    const running = part.map(async ([name, query]) => [name, await runBatchQuery(query, context)] as const);
    results.push(...(await Promise.all(running)));
  }
  return Object.fromEntries(results);
}

async function runBatchQuery(json: unknown, context: RequestContext): Promise<Result> {
  const { data: query } = queryObject.safeParse(json);
  if (query === undefined) return NO_RESULT;
  return reconcile(query, context).catch((error: unknown) => {
    if (error instanceof Failure && [400, 422].includes(error.status)) return NO_RESULT;
    throw error;
  });
}

/** Runs one query: its JSON, or a name alone. Throws 400 for an invalid query. */
export function runReconcileQuery(text: string, context: RequestContext): Promise<Result> {
  const request = text.trimStart().startsWith("{") ? readJson(queryObject, text) : { query: text };
  return reconcile(request, context);
}

async function reconcile(request: ReconcileQuery, context: RequestContext): Promise<Result> {
  const query = String(request.query ?? "").trim() || undefined;
  const properties = (request.properties ?? []).flatMap(({ pid, v }) => {
    const property = PROPERTIES.find(({ id }) => id === pid);
    const values = [v ?? []]
      .flat()
      .map((value): RequestedValue => {
        return typeof value === "object" ? { text: value.name ?? "", id: value.id } : { text: String(value) };
      })
      .filter(({ text, id }) => id !== undefined || text.trim() !== "");
    return property === undefined || values.length === 0 ? [] : [{ property, values }];
  });
  if (query === undefined && properties.length === 0) {
    throw failure("bad_data.reconcile_query");
  }
  const types = typesOf(request.type);
  const named = query === undefined ? undefined : await candidateById(query, context);
  const candidates =
    named ??
    (await candidatesByIsbn({ query, properties }, types, context)) ??
    (await candidatesOfTypes({ query, properties }, types, context));
  const hasMatch = named !== undefined || isMatch(candidates);
  const result = candidates.slice(0, limitOf(request)).map(({ entity, score, features }, place) => {
    const { id, name, description, type } = entity;
    const match = hasMatch && place === 0;
    return { id, name, description, type: [toTypeReference(type)], score, match, features: [...features] };
  });
  return { result };
}

/** Returns the number of candidates to return: the default if it is missing or not a number. */
function limitOf({ limit }: ReconcileQuery): number {
  const { default: absent, max } = RECONCILE_CANDIDATES;
  const number = Math.trunc(Number(limit ?? absent));
  return Number.isNaN(number) || limit === "" ? absent : Math.max(1, Math.min(max, number));
}

/** Returns the types of a query: works if it has none; unknown types find nothing. */
function typesOf(type: ReconcileQuery["type"]): readonly EntityType[] {
  const ids = [type ?? []].flat().filter((id) => id !== "");
  if (ids.length === 0) return ["work"];
  return ENTITY_TYPES.filter(({ id }) => ids.includes(id)).map(({ id }) => id);
}

async function candidatesOfTypes(
  request: CandidateRequest,
  types: readonly EntityType[],
  context: RequestContext,
): Promise<Candidate[]> {
  const lists = await Promise.all(types.map((type) => findCandidates(request, type, context)));
  return lists.flat().toSorted((a, b) => b.score - a.score);
}

/** Returns the books with the ISBN that a query is as a whole; undefined if there are none. */
async function candidatesByIsbn(
  { query = "", properties }: CandidateRequest,
  types: readonly EntityType[],
  context: RequestContext,
): Promise<Candidate[] | undefined> {
  const isbn = parseIsbn(query);
  const property = PROPERTIES.find(({ values }) => values === "isbn");
  if (isbn === undefined || property === undefined) return undefined;
  const byIsbn = { property, values: [{ text: isbn }] };
  const books = await candidatesOfTypes(
    { query: undefined, properties: [byIsbn, ...properties] },
    types,
    context,
  );
  return books.length === 0 ? undefined : books;
}

async function candidateById(query: string, context: RequestContext): Promise<Candidate[] | undefined> {
  if (keyOfEntity(query, context.settings.RECORD_PREFIX) === undefined) return undefined;
  const entity = (await readEntities([query], context)).get(query);
  return entity && [{ entity, score: 100, features: [{ id: "id", value: true }] }];
}

const EXTEND_IDS_MAX = 200;
const EXTEND_PROPERTIES_MAX = 30;
const CELLS_MAX = 100;

const extendRequest = z.object({
  ids: z.array(z.string()).max(EXTEND_IDS_MAX),
  properties: z.array(z.object({ id: z.string() })).max(EXTEND_PROPERTIES_MAX),
});

const cell = z.union([
  z.object({ id: z.string(), name: z.string() }),
  z.object({ str: z.string() }),
  z.object({ int: z.int() }),
]);
type Cell = z.output<typeof cell>;

export const extensionSchema = z
  .object({
    meta: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        type: z.object({ id: z.string(), name: z.string() }).optional(),
      }),
    ),
    rows: z.record(z.string(), z.record(z.string(), z.array(cell))),
  })
  .meta({ id: "ReconciliationExtension" });

/** Reads values of properties of entities. Throws 400 for an invalid request. */
export async function extendEntities(
  text: string,
  context: RequestContext,
): Promise<z.output<typeof extensionSchema>> {
  const { ids, properties } = readJson(extendRequest, text);
  const names = [...new Set(properties.map(({ id }) => id))];
  const entities = await readEntities(ids, context);
  const columns = names.map((id) => [id, PROPERTIES.find((property) => property.id === id)] as const);
  const rowOf = (entity: Entity | undefined) =>
    Object.fromEntries(columns.map(([id, property]) => [id, cellsOf(property, entity)]));
  return {
    meta: columns.map(([id, property]) => ({
      id,
      name: property?.name ?? id,
      type: property?.values === "author" ? toTypeReference("author") : undefined,
    })),
    rows: Object.fromEntries(ids.map((id) => [id, rowOf(entities.get(id))])),
  };
}

function cellsOf(property: Property | undefined, entity: Entity | undefined): Cell[] {
  if (property === undefined || entity === undefined) return [];
  const values = valuesOfProperty(property, entity.type, entity.document).slice(0, CELLS_MAX);
  const keys = stringsOf(entity.document["author_key"]);
  return values.map((value, place): Cell => {
    const number = Number(value);
    if (property.values === "number" && Number.isSafeInteger(number)) return { int: number };
    const id = property.values === "author" ? keys[place] : undefined;
    return id === undefined ? { str: value } : { id, name: value };
  });
}
