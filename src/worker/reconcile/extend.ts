import * as z from "zod";
import { stringsOf } from "../../catalog/record.ts";
import { type Entity, namedType } from "../../search/reconcile/entities.ts";
import { type Property, PROPERTIES, valuesOf } from "../../search/reconcile/properties.ts";
import type { RequestContext } from "../http/operation.ts";
import { entitiesById } from "./found.ts";
import { readJson } from "./queries.ts";

/** Entities, and properties, of one request. */
const EXTEND_IDS_MAX = 200;
const EXTEND_PROPERTIES_MAX = 30;
/** Values of a property in an answer. */
const VALUES_MAX = 100;

const request = z.object({
  ids: z.array(z.string()).max(EXTEND_IDS_MAX),
  properties: z.array(z.object({ id: z.string() })).max(EXTEND_PROPERTIES_MAX),
});

const cell = z.union([
  z.object({ id: z.string(), name: z.string() }),
  z.object({ str: z.string() }),
  z.object({ int: z.int() }),
]);
type Cell = z.output<typeof cell>;

/** Values of properties of entities. */
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

/** Fetches values of properties. Throws a 400 for what asks for none. */
export async function extended(
  text: string,
  context: RequestContext,
): Promise<z.output<typeof extensionSchema>> {
  const { ids, properties } = readJson(request, text);
  const names = [...new Set(properties.map(({ id }) => id))];
  const entities = await entitiesById(ids, context);
  const known = names.map((id) => [id, PROPERTIES.find((property) => property.id === id)] as const);
  const rowOf = (entity: Entity | undefined) =>
    Object.fromEntries(known.map(([id, property]) => [id, cellsOf(property, entity)]));
  return {
    meta: known.map(([id, property]) => ({
      id,
      name: property?.name ?? id,
      type: property?.values === "author" ? namedType("author") : undefined,
    })),
    rows: Object.fromEntries(ids.map((id) => [id, rowOf(entities.get(id))])),
  };
}

/** None for what an entity says nothing of, and for entities and properties that there are not. */
function cellsOf(property: Property | undefined, entity: Entity | undefined): Cell[] {
  if (property === undefined || entity === undefined) return [];
  const values = valuesOf(property, entity.type, entity.document).slice(0, VALUES_MAX);
  const keys = stringsOf(entity.document["author_key"]);
  return values.map((value, place): Cell => {
    const number = Number(value);
    if (property.values === "number" && Number.isSafeInteger(number)) return { int: number };
    const id = property.values === "author" ? keys[place] : undefined;
    return id === undefined ? { str: value } : { id, name: value };
  });
}
