import { type CatalogRecord, type Json, elementsOf, isObject, keyOf, textOf } from "../record.ts";
import { type SeedAnnotation, buildAnnotation, positionTextOf } from "./seeds.ts";

type SeriesEdge = SeedAnnotation & { readonly series: { readonly key: string } };

/** Returns the notes and position of a work in a series: undefined if it is not in it, empty without any. */
export function edgeOf(work: CatalogRecord, series: string): SeedAnnotation | undefined {
  const edge = elementsOf(work["series"]).find((element) => seriesKeyOf(element) === series);
  if (!isObject(edge)) return undefined;
  return buildAnnotation(textOf(edge["notes"]), positionTextOf(edge["position"]));
}

/**
 * Returns the work with a place in a series: updates the existing one, or appends a new one. `all` replaces notes and
 * position completely. Returns the same object if nothing changes.
 */
export function withEdge(
  work: CatalogRecord,
  { series, ...newAnnotation }: SeriesEdge,
  { all = false }: { all?: boolean } = {},
): CatalogRecord {
  const elements = elementsOf(work["series"]);
  const place = elements.findIndex((element) => seriesKeyOf(element) === series.key);
  const edge = elements[place] ?? null;
  const { notes: _notes, position: _position, ...others } = isObject(edge) ? edge : {};
  const before = edgeOf(work, series.key);
  const after = { ...others, series, ...(all ? {} : before), ...newAnnotation };
  const isSame = before?.notes === after.notes && before?.position === after.position;
  if (before !== undefined && isSame) return work;
  return { ...work, series: place === -1 ? [...elements, after] : elements.with(place, after) };
}

/** Returns the work without its places in a series, or the same object if it has none. */
export function withoutEdge(work: CatalogRecord, series: string): CatalogRecord {
  const elements = elementsOf(work["series"]);
  const otherElements = elements.filter((element) => seriesKeyOf(element) !== series);
  return otherElements.length === elements.length ? work : { ...work, series: otherElements };
}

/** Returns the key of the series that an element refers to. Returns undefined for strings in `series`. */
function seriesKeyOf(element: Json): string | undefined {
  return isObject(element) ? keyOf(element["series"]) : undefined;
}

const NUMBER = /^\s*[+-]?\d+(?:\.\d+)?\s*$/;
const RANGE = /^\s*(\d+(?:\.\d+)?)\s*-\s*(\d+(?:\.\d+)?)\s*$/;

/** Sort key: group (0 numbers, 1 others, 2 ranges), then two numbers. */
type Rank = readonly [group: number, first: number, second: number];

/**
 * Sorts the members of a series: numeric positions ascending; other or missing positions; ranges `a-b`, narrow ones
 * first, then by lower bound. Ties by number of the work (Q240).
 */
export function sortBySeriesPosition<Member extends { readonly id: number; readonly position?: string }>(
  members: readonly Member[],
): Member[] {
  const ranked = members.map((member) => ({ member, rank: rankOf(member.position ?? "") }));
  ranked.sort(
    (a, b) =>
      a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || a.rank[2] - b.rank[2] || a.member.id - b.member.id,
  );
  return ranked.map(({ member }) => member);
}

function rankOf(position: string): Rank {
  if (NUMBER.test(position)) return [0, Number(position), 0];
  const [, from, to] = RANGE.exec(position) ?? [];
  if (from === undefined || to === undefined) return [1, 0, 0];
  return [2, Number(to) - Number(from), Number(from)];
}
