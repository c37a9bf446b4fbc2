import { readTargets } from "../../db/redirects.ts";
import type { Document, PlainSearch, SearchEngine } from "../../search/engine.ts";
import { type Query, allOf, anyOf, equals, isTooComplex } from "../../search/query/query.ts";
import {
  type Entity,
  type EntityType,
  entityOf,
  keyOfEntity,
  typeOfKey,
} from "../../search/reconcile/entities.ts";
import {
  type Property,
  PROPERTIES,
  candidateQueryOf,
  toWordsQuery,
} from "../../search/reconcile/properties.ts";
import {
  type CandidateRequest,
  type Candidate,
  parseAuthorRequest,
  scoreCandidates,
} from "../../search/reconcile/score.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { NOTHING_FOUND, askIndex } from "../search/guarded.ts";
import { failure } from "../http/failure.ts";

const COMPARED_MAX = 50;
const CORRECTED_MAX = 20;
const WORK_FIELDS = "key title subtitle author_key author_name first_publish_year edition_count".split(" ");
const ALL_WORK_FIELDS = fieldsFor(PROPERTIES);

/** Returns the fields for comparing properties. Lists such as subjects are long, and few queries compare them. */
function fieldsFor(properties: readonly Property[]): readonly string[] {
  // Always the same array, since parsed field lists are cached by it.
  if (properties.length === 0) return WORK_FIELDS;
  const members = properties.flatMap(({ members: { work } }) => work ?? []);
  return [...new Set([...WORK_FIELDS, ...members])];
}

/**
 * Finds candidates of one type, best first: entities with all the words of the name, in any field, or with the
 * identifiers. Two parallel searches if the query has properties, else one; one more if nothing has all words. Throws 400
 * for a query that is too complex.
 */
export async function findCandidates(
  received: CandidateRequest,
  type: EntityType,
  context: RequestContext,
): Promise<Candidate[]> {
  const request = type === "author" ? parseAuthorRequest(received) : received;
  const words = request.query === undefined ? undefined : toWordsQuery(request.query);
  const conditions = request.properties.flatMap(({ property, values }) => {
    const queries =
      property.members[type] === undefined
        ? []
        : values.flatMap((value) => candidateQueryOf(property, value) ?? []);
    return queries.length === 0 ? [] : [{ isNumber: property.values !== "author", query: anyOf(queries) }];
  });
  const numbers = conditions.filter(({ isNumber }) => isNumber).map(({ query }) => query);
  const named = words === undefined ? [] : [words];
  const narrow = allOf([...named, ...conditions.map(({ query }) => query)]);
  const wide = [...named, ...numbers];
  const queries = [...(conditions.length > 0 ? [narrow] : []), ...(wide.length > 0 ? [anyOf(wide)] : [])];
  if (isTooComplex(queries)) throw failure("bad_data.query_size");
  const fields = fieldsFor(request.properties.map(({ property }) => property));
  const documents = await askIndex(context, request.query ?? "", async (engine) => {
    const searches = queries.map((query) => search(engine, { type, query, fields }));
    const hits = (await Promise.all(searches)).flat();
    if (hits.length > 0 || request.query === undefined) return hits;
    const corrected = await correctOrShorten(engine, request.query);
    return corrected === undefined ? hits : search(engine, { type, query: corrected, fields });
  });
  const entities = documents.flatMap((document) => entityOf(document) ?? []);
  // Editions without a work are in the index under two keys.
  const distinct = [...new Map(entities.map((entity) => [entity.id, entity])).values()];
  return scoreCandidates(distinct, request);
}

const SUBTITLE = /[:;/([].*/s;
const INITIAL = /(?<![\p{L}\p{N}])\p{L}(?![\p{L}\p{N}])\.?/gu;

/** Corrects misspelt words, else removes a possible subtitle or note and initials; undefined if nothing changes. */
async function correctOrShorten(engine: SearchEngine, query: string): Promise<Query | undefined> {
  const words = query.split(/\s+/).slice(0, CORRECTED_MAX);
  const correction = await engine.findCorrection(words);
  const corrected = correction?.isSure
    ? words.map((word) => correction.replacements.get(word) ?? word).join(" ")
    : query.replace(SUBTITLE, "").replace(INITIAL, "");
  return corrected === query ? undefined : toWordsQuery(corrected);
}

async function search(
  engine: SearchEngine,
  { type, query, fields }: { type: EntityType; query: Query; fields: readonly string[] },
): Promise<readonly Document[]> {
  const plain: PlainSearch = { query, filters: [], sort: [], start: 0, rows: COMPARED_MAX };
  switch (type) {
    case "work": {
      const works = { ...plain, editionClauses: [], withEditions: false, fields };
      return (await engine.works(works)).documents;
    }
    case "edition":
      return (await engine.editions(plain)).documents;
    case "author":
      return (await engine.authors(plain)).documents;
    case "subject":
      return (await engine.subjects(plain)).documents;
  }
}

/**
 * Reads entities by id, merged ones as what they have become (Q681); unknown ids are left out. At most two round trips,
 * in parallel, and two more for ids that the index does not have.
 */
export async function readEntities(
  ids: readonly string[],
  context: RequestContext,
): Promise<ReadonlyMap<string, Entity>> {
  const { RECORD_PREFIX: prefix } = context.settings;
  const keys = new Map(
    ids.flatMap((id) => {
      const key = keyOfEntity(id, prefix);
      return key === undefined ? [] : [[id, key] as const];
    }),
  );
  const byKey = await readByKeys([...new Set(keys.values())], context);
  const missing = [...keys.values()].filter((key) => !byKey.has(key) && !key.startsWith("/subjects/"));
  const targets = await readTargets(catalogReader(context), missing);
  const merged = targets.size === 0 ? byKey : await readByKeys([...new Set(targets.values())], context);
  return new Map(
    [...keys].flatMap(([id, key]) => {
      const document = byKey.get(key) ?? merged.get(targets.get(key) ?? "");
      const entity = document === undefined ? undefined : entityOf(document);
      return entity === undefined ? [] : [[id, entity] as const];
    }),
  );
}

async function readByKeys(keys: readonly string[], context: RequestContext) {
  const editions = keys.filter((key) => typeOfKey(key) === "edition");
  const others = keys.filter((key) => !editions.includes(key));
  const query = anyOf(editions.map((key) => equals("key", key)));
  const editionSearch = { query, filters: [], sort: [], start: 0, rows: editions.length };
  const documents = await askIndex(context, "", async (engine) => {
    const [named, numbered] = await Promise.all([
      others.length === 0 ? [] : engine.getMany(others, ALL_WORK_FIELDS),
      editions.length === 0 ? NOTHING_FOUND : engine.editions(editionSearch),
    ]);
    return [...named, ...numbered.documents];
  });
  return new Map(documents.map((document) => [document["key"], document]));
}
