import { lastSegment } from "../../catalog/keys.ts";
import {
  type CatalogRecord,
  type Json,
  isObject,
  keyOf,
  resolveRecord,
  textOf,
} from "../../catalog/record.ts";

/** Position in a series. */
interface SeriesEdge {
  readonly key: string;
  readonly name: string;
  readonly position: string;
}

/**
 * Returns the distinct series of records, from their edges `{series: {key}, position}`; strings in `series` are not
 * edges. As parallel lists; undefined if there are none.
 */
export function seriesOf(records: readonly CatalogRecord[], known: ReadonlyMap<string, CatalogRecord>) {
  const edges = new Map<string, SeriesEdge>();
  for (const { series } of records) {
    if (!Array.isArray(series)) continue;
    for (const value of series) {
      const edge = edgeOf(value, known);
      if (edge !== undefined && !edges.has(edge.key)) edges.set(edge.key, edge);
    }
  }
  if (edges.size === 0) return undefined;
  const all = [...edges.values()];
  return {
    keys: all.map((edge) => lastSegment(edge.key)),
    names: all.map((edge) => edge.name),
    positions: all.map((edge) => edge.position),
  };
}

function edgeOf(value: Json, known: ReadonlyMap<string, CatalogRecord>): SeriesEdge | undefined {
  const seriesKey = isObject(value) ? keyOf(value["series"]) : undefined;
  if (seriesKey === undefined || !isObject(value)) return undefined;
  const record = resolveRecord(known, seriesKey);
  const key = (record === undefined ? undefined : keyOf(record)) ?? seriesKey;
  const name = record === undefined ? undefined : textOf(record["name"]);
  const position = value["position"];
  return {
    key,
    // Q68: a series without a record, or without a name, is shown by its key.
    name: name === undefined || name === "" ? key : name,
    position: typeof position === "number" ? String(position) : (textOf(position) ?? ""),
  };
}
