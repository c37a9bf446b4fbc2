import { lastSegment } from "../../catalog/keys.ts";
import {
  type CatalogRecord,
  type Json,
  isObject,
  keyOf,
  resolveRecord,
  textOf,
} from "../../catalog/record.ts";

/** A place in a series. */
interface SeriesEdge {
  readonly key: string;
  readonly name: string;
  readonly position: string;
}

/** Parallel lists, as documents hold them. */
export interface SeriesPlaces {
  readonly keys: readonly string[];
  readonly names: readonly string[];
  readonly positions: readonly string[];
}

/**
 * The series that records belong to, each once, by their edges `{series: {key}, position}`; strings in `series`
 * are not edges. Undefined when there are none.
 */
export function seriesOf(
  records: readonly CatalogRecord[],
  known: ReadonlyMap<string, CatalogRecord>,
): SeriesPlaces | undefined {
  let edges: Map<string, SeriesEdge> | undefined;
  for (const record of records) {
    const { series } = record;
    if (!Array.isArray(series)) continue;
    for (const value of series) {
      const edge = edgeOf(value, known);
      if (edge === undefined) continue;
      edges ??= new Map();
      if (!edges.has(edge.key)) edges.set(edge.key, edge);
    }
  }
  if (edges === undefined) return undefined;
  const all = [...edges.values()];
  return {
    keys: all.map((edge) => lastSegment(edge.key)),
    names: all.map((edge) => edge.name),
    positions: all.map((edge) => edge.position),
  };
}

function edgeOf(value: Json, known: ReadonlyMap<string, CatalogRecord>): SeriesEdge | undefined {
  const named = isObject(value) ? keyOf(value["series"]) : undefined;
  if (named === undefined || !isObject(value)) return undefined;
  const record = resolveRecord(known, named);
  const key = (record === undefined ? undefined : keyOf(record)) ?? named;
  const name = record === undefined ? undefined : textOf(record["name"]);
  const position = value["position"];
  return {
    key,
    // Q68: a series without a record, or without a name, is called by its key.
    name: name === undefined || name === "" ? key : name,
    position: typeof position === "number" ? String(position) : (textOf(position) ?? ""),
  };
}
