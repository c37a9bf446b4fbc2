import type { Document, PlainSearch, SearchEngine } from "../../search/engine.ts";
import { type Query, allOf, anyOf, equals, isTooComplex } from "../../search/query/query.ts";
import {
  type Entity,
  type EntityType,
  entityOf,
  keyOfEntity,
  typeOfKey,
} from "../../search/reconcile/entities.ts";
import { type Property, PROPERTIES, soughtBy, wordsQuery } from "../../search/reconcile/properties.ts";
import { type Asked, type Candidate, scored } from "../../search/reconcile/score.ts";
import { badData } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { askIndex } from "../search/guarded.ts";

/** Entities that are looked at for one question. */
const FOUND_MAX = 50;
/** Words that may be misspelt. */
const CORRECTED_MAX = 20;
/** Fields of works that are compared and shown. */
const WORK_FIELDS = "key title subtitle author_key author_name first_publish_year edition_count".split(" ");
/** Fields that are fetched. */
const ALL_WORK_FIELDS = fieldsFor(PROPERTIES);

/** Fields of works for comparing some properties. Lists such as subjects are long, and few questions compare them. */
function fieldsFor(properties: readonly Property[]): readonly string[] {
  // The same array each time: readings are cached by it.
  if (properties.length === 0) return WORK_FIELDS;
  const members = properties.flatMap(({ members: { work } }) => work ?? []);
  return [...new Set([...WORK_FIELDS, ...members])];
}

/**
 * Candidates of one type, the best first: what has all the words of the name, anywhere, or the identifiers. Two searches, side
 * by side, where properties say where to look, else one; one more where nothing has all words.
 */
export async function candidates(
  asked: Asked,
  type: EntityType,
  context: RequestContext,
): Promise<Candidate[]> {
  const words = asked.query === undefined ? undefined : wordsQuery(asked.query);
  const sought = asked.properties.flatMap(({ property, values }) => {
    const queries =
      property.members[type] === undefined ? [] : values.flatMap((value) => soughtBy(property, value) ?? []);
    return queries.length === 0 ? [] : [{ isNumber: property.values !== "author", query: anyOf(queries) }];
  });
  const numbers = sought.filter(({ isNumber }) => isNumber).map(({ query }) => query);
  const narrow = allOf([...(words === undefined ? [] : [words]), ...sought.map(({ query }) => query)]);
  const wide = [...(words === undefined ? [] : [words]), ...numbers];
  const queries = [...(sought.length > 0 ? [narrow] : []), ...(wide.length > 0 ? [anyOf(wide)] : [])];
  if (isTooComplex(queries)) throw badData("Bad query: too many words and values");
  const fields = fieldsFor(asked.properties.map(({ property }) => property));
  const documents = await askIndex(context, asked.query ?? "", async (engine) => {
    const searches = queries.map((query) => search(engine, { type, query, fields }));
    const found = (await Promise.all(searches)).flat();
    const again =
      found.length > 0 || asked.query === undefined ? undefined : await otherWords(engine, asked.query);
    return again === undefined ? found : search(engine, { type, query: again, fields });
  });
  return scored(distinct(documents), asked);
}

/** What a title goes on with that not every catalog has. */
const SUBTITLE = /[:;/([].*/s;
/** Letters by themselves, such as initials of names. */
const INITIAL = /(?<![\p{L}\p{N}])\p{L}(?![\p{L}\p{N}])\.?/gu;

/**
 * Replaces words of a query that occur nowhere, else removes what may be a subtitle, a note or initials. Undefined if nothing
 * changes.
 */
async function otherWords(engine: SearchEngine, query: string): Promise<Query | undefined> {
  const texts = query.split(/\s+/).slice(0, CORRECTED_MAX);
  const known = await engine.corrected(texts);
  const other =
    known.size === 0
      ? query.replace(SUBTITLE, "").replace(INITIAL, "")
      : texts.map((text) => known.get(text) ?? text).join(" ");
  return other === query ? undefined : wordsQuery(other);
}

interface EntitySearch {
  readonly type: EntityType;
  readonly query: Query;
  /** Of works. */
  readonly fields: readonly string[];
}

async function search(
  engine: SearchEngine,
  { type, query, fields }: EntitySearch,
): Promise<readonly Document[]> {
  const plain: PlainSearch = { query, filters: [], sort: [], start: 0, rows: FOUND_MAX };
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

/** Each once, and editions that stand in the index for a work under a key of their own. */
function distinct(documents: readonly Document[]): Entity[] {
  const entities = documents.flatMap((document) => entityOf(document) ?? []);
  return [...new Map(entities.map((entity) => [entity.id, entity])).values()];
}

/** Entities by their ids; those that there are not are left out. Two round trips at most, side by side. */
export async function entitiesById(
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
  const all = [...new Set(keys.values())];
  const [editions, others] = [all.filter(isEdition), all.filter((key) => !isEdition(key))];
  const documents = await askIndex(context, "", async (engine) => {
    const read = await Promise.all([
      others.length === 0 ? [] : engine.getMany(others, ALL_WORK_FIELDS),
      editions.length === 0 ? [] : editionsByKey(engine, editions),
    ]);
    return read.flat();
  });
  const byKey = new Map(documents.map((document) => [document["key"], document]));
  return new Map(
    [...keys].flatMap(([id, key]) => {
      const document = byKey.get(key);
      const entity = document === undefined ? undefined : entityOf(document);
      return entity === undefined ? [] : [[id, entity] as const];
    }),
  );
}

function isEdition(key: string): boolean {
  return typeOfKey(key) === "edition";
}

async function editionsByKey(engine: SearchEngine, keys: readonly string[]): Promise<readonly Document[]> {
  const query = anyOf(keys.map((key) => equals("key", key)));
  return (await engine.editions({ query, filters: [], sort: [], start: 0, rows: keys.length })).documents;
}
