import * as z from "zod";
import { type EntityType, ENTITY_TYPES, keyOfEntity, namedType } from "../../search/reconcile/entities.ts";
import { type AskedValue, PROPERTIES } from "../../search/reconcile/properties.ts";
import { type Asked, type Candidate, isMatch } from "../../search/reconcile/score.ts";
import { badData } from "../http/errors.ts";
import { type RequestContext, baseUrl } from "../http/operation.ts";
import { countQuestions } from "../http/rate-limit.ts";
import { queryJson } from "../http/request-body.ts";
import { candidates, entitiesById } from "./found.ts";

/** Questions of one request, and those of them that are asked at the same time. */
const RECONCILE_QUERIES_MAX = 50;
const AT_ONCE = 5;
/** Candidates of an answer: when none are asked for, and at most. */
const RECONCILE_CANDIDATES = { default: 10, max: 50 };
/** Properties of a question, and values of each. */
const PROPERTIES_MAX = 20;
const VALUES_MAX = 10;
/** Characters of the JSON of a request. */
export const RECONCILE_JSON_LENGTH = 262_144;

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const value = z.union([scalar, z.object({ id: z.string(), name: z.string().optional() })]);
const question = z.object({
  query: scalar.transform(String).optional(),
  type: z.union([z.string(), z.array(z.string()).max(PROPERTIES_MAX)]).optional(),
  limit: z.number().optional(),
  properties: z
    .array(z.object({ pid: z.string(), v: z.union([value, z.array(value).max(VALUES_MAX)]) }))
    .max(PROPERTIES_MAX)
    .optional(),
});
type Question = z.output<typeof question>;

const candidate = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  type: z.array(z.object({ id: z.string(), name: z.string() })),
  score: z.number(),
  match: z.boolean(),
  features: z.array(z.object({ id: z.string(), value: z.union([z.number(), z.boolean()]) })),
});
/** Answer to one question. */
export const resultSchema = z.object({ result: z.array(candidate) }).meta({ id: "ReconciliationResult" });
type Result = z.output<typeof resultSchema>;

/** JSON of a parameter as a schema has it; throws a 400. */
export function readJson<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  const read = schema.safeParse(queryJson(text, RECONCILE_JSON_LENGTH));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw badData(`Bad query: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
}

/** A batch of questions by name. Throws a 400 for what is none. */
export async function answerBatch(text: string, context: RequestContext): Promise<Record<string, Result>> {
  const batch = Object.entries(readJson(z.record(z.string(), question), text));
  if (batch.length > RECONCILE_QUERIES_MAX) throw badData(`At most ${RECONCILE_QUERIES_MAX} queries at once`);
  countQuestions(context, batch.length);
  const results: (readonly [string, Result])[] = [];
  for (let at = 0; at < batch.length; at += AT_ONCE) {
    const some = batch.slice(at, at + AT_ONCE);
    const answers = some.map(async ([name, one]) => [name, await answered(one, context)] as const);
    results.push(...(await Promise.all(answers)));
  }
  return Object.fromEntries(results);
}

/** One question: its JSON, or a name alone. */
export function answerOne(text: string, context: RequestContext): Promise<Result> {
  const asked = text.trimStart().startsWith("{") ? readJson(question, text) : { query: text };
  return answered(asked, context);
}

async function answered(asked: Question, context: RequestContext): Promise<Result> {
  const query = asked.query?.trim() === "" ? undefined : asked.query;
  const properties = (asked.properties ?? []).flatMap(({ pid, v }) => {
    const property = PROPERTIES.find(({ id }) => id === pid);
    return property === undefined ? [] : [{ property, values: [v].flat().map(valueOf) }];
  });
  if (query === undefined && properties.length === 0) {
    throw badData("Bad query: neither a query nor a property that is known");
  }
  const { default: usual, max } = RECONCILE_CANDIDATES;
  const limit = Math.max(1, Math.min(max, Math.trunc(asked.limit ?? usual)));
  const known = query === undefined ? undefined : await byId(query, context);
  const found = known ?? (await ofTypes({ query, properties }, typesOf(asked.type), context));
  const hasMatch = known !== undefined || isMatch(found);
  return { result: found.slice(0, limit).map((one, place) => shown(one, hasMatch && place === 0)) };
}

/** Works, where no type is asked for; what is no type here finds nothing. */
function typesOf(type: Question["type"]): readonly EntityType[] {
  const wanted = [type ?? []].flat().filter((id) => id !== "");
  if (wanted.length === 0) return ["work"];
  return ENTITY_TYPES.filter(({ id }) => wanted.includes(id)).map(({ id }) => id);
}

async function ofTypes(
  asked: Asked,
  types: readonly EntityType[],
  context: RequestContext,
): Promise<Candidate[]> {
  const found = await Promise.all(types.map((type) => candidates(asked, type, context)));
  return found.flat().toSorted((one, other) => other.score - one.score);
}

function valueOf(asked: z.output<typeof value>): AskedValue {
  return typeof asked === "object" ? { text: asked.name ?? "", id: asked.id } : { text: String(asked) };
}

/** A query may be the id or the address of an entity. */
async function byId(query: string, context: RequestContext): Promise<Candidate[] | undefined> {
  const id = query.replace(baseUrl(context), "").trim();
  if (keyOfEntity(id, context.settings.RECORD_PREFIX) === undefined) return undefined;
  const entity = (await entitiesById([id], context)).get(id);
  return entity && [{ entity, score: 100, features: [{ id: "id", value: true }] }];
}

function shown({ entity, score, features }: Candidate, match: boolean): Result["result"][number] {
  const { id, name, description, type } = entity;
  return { id, name, description, type: [namedType(type)], score, match, features: [...features] };
}
