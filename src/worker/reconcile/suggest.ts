import * as z from "zod";
import { ENTITY_TYPES, entityOf, keyOfEntity } from "../../search/reconcile/entities.ts";
import { type Property, PROPERTIES } from "../../search/reconcile/properties.ts";
import type { Scheme } from "../../search/engine.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { callbackName, lenientInteger } from "../http/parameters.ts";
import { SCRIPT_TYPE, jsonp } from "../http/reply.ts";
import { searchCacheControl } from "../search/guarded.ts";
import { findCompletions } from "../search/autocomplete.ts";
import { readEntities } from "./candidates.ts";

const SUGGESTIONS = 10;
const CURSOR_MAX = 100;

const SCHEMES: ReadonlyMap<string, Scheme> = new Map([
  ["work", "work"],
  ["author", "author"],
  ["subject", "subject"],
]);

const suggestion = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  notable: z.array(z.string()).optional(),
});
type Suggestion = z.output<typeof suggestion>;

export const suggestReconcile = operation({
  id: "reconcileSuggest",
  summary: "Suggest entities, types or properties by prefix (Reconciliation API 0.2)",
  tag: "search",
  path: { kind: z.enum(["entity", "type", "property"]) },
  query: {
    prefix: z.string().default("").describe("Prefix of a name, or an id"),
    type: z.string().optional().describe("Type of the entities: work, author or subject"),
    cursor: lenientInteger(0, { min: 0, max: CURSOR_MAX }).describe("Number of suggestions to skip"),
    callback: callbackName(),
  },
  responses: {
    200: {
      description: "Suggestions, best first",
      schema: z.object({ result: z.array(suggestion) }),
      also: [SCRIPT_TYPE],
    },
  },
  async handle({ path: { kind }, query }, context) {
    const { prefix, cursor, type, callback } = query;
    let suggestions: readonly Suggestion[] = [];
    if (kind === "entity") {
      suggestions = await suggestEntities(prefix, { type, limit: cursor + SUGGESTIONS }, context);
    } else {
      const beginning = prefix.trim().toLowerCase();
      const named: readonly Suggestion[] = kind === "type" ? ENTITY_TYPES : propertiesOf(type);
      suggestions = named
        .filter(({ id, name }) =>
          [id, ...name.toLowerCase().split(" ")].some((word) => word.startsWith(beginning)),
        )
        .map(({ id, name, description }) => ({ id, name, description }));
    }
    const body = JSON.stringify({ result: suggestions.slice(cursor, cursor + SUGGESTIONS) });
    return jsonp(body, callback, { cacheControl: searchCacheControl(context) });
  },
});

async function suggestEntities(
  prefix: string,
  { type, limit }: { type: string | undefined; limit: number },
  context: RequestContext,
): Promise<Suggestion[]> {
  if (prefix.trim() === "") return [];
  const isId = keyOfEntity(prefix, context.settings.RECORD_PREFIX) !== undefined;
  let entities = isId ? [...(await readEntities([prefix], context)).values()] : [];
  if (entities.length === 0) {
    const scheme = SCHEMES.get(type ?? "") ?? "any";
    const documents = await findCompletions({ scheme, text: prefix, limit, filters: [] }, context);
    entities = documents.flatMap((document) => entityOf(document) ?? []);
  }
  return entities.map(({ id, name, description, type: notable }) => {
    return { id, name, description, notable: [notable] };
  });
}

function propertiesOf(type: string | undefined): readonly Property[] {
  return PROPERTIES.filter(({ members }) => type === undefined || type === "" || type in members);
}

export const proposeProperties = operation({
  id: "reconcileProperties",
  summary: "List the properties of a type (Reconciliation API 0.2)",
  tag: "search",
  query: {
    type: z.string().default("work"),
    limit: lenientInteger(PROPERTIES.length, { min: 0, max: PROPERTIES.length }),
    callback: callbackName(),
  },
  responses: {
    200: {
      description: "Properties, most frequent first",
      schema: z.object({ type: z.string(), limit: z.int(), properties: z.array(suggestion) }),
      also: [SCRIPT_TYPE],
    },
  },
  handle({ query: { type, limit, callback } }) {
    const properties = propertiesOf(type)
      .slice(0, limit)
      .map(({ id, name }) => ({ id, name }));
    return jsonp(JSON.stringify({ type, limit, properties }), callback, {
      cacheControl: "public, max-age=3600",
    });
  },
});
