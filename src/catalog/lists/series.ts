import { type CatalogRecord, type Json, elementsOf, isObject, keyOf, textOf } from "../record.ts";
import { type SeedAnnotation, buildAnnotation, positionTextOf } from "./seeds.ts";

/** A place in a series, as the record of a work has it. */
type SeriesEdge = SeedAnnotation & { readonly series: { readonly key: string } };

/** What a work says of its place in a series: undefined when it is not in it, empty when it says no more. */
export function edgeOf(work: CatalogRecord, series: string): SeedAnnotation | undefined {
  const edge = elementsOf(work["series"]).find((element) => seriesKeyOf(element) === series);
  if (!isObject(edge)) return undefined;
  return buildAnnotation(textOf(edge["notes"]), positionTextOf(edge["position"]));
}

/**
 * The work with an edge to a series: that which it has, with what is said anew, or one at the end. `all` replaces what
 * was said before. The same object when nothing changes.
 */
export function withEdge(
  work: CatalogRecord,
  { series, ...newAnnotation }: SeriesEdge,
  { all = false }: { readonly all?: boolean } = {},
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

/** The work without its edges to a series. The same object when it has none. */
export function withoutEdge(work: CatalogRecord, series: string): CatalogRecord {
  const elements = elementsOf(work["series"]);
  const otherElements = elements.filter((element) => seriesKeyOf(element) !== series);
  return otherElements.length === elements.length ? work : { ...work, series: otherElements };
}

/** Key of the series that an element names; strings in `series` name none. */
function seriesKeyOf(element: Json): string | undefined {
  return isObject(element) ? keyOf(element["series"]) : undefined;
}

/** A work in a series, as the order of members needs it. */
interface Positioned {
  /** Number of the work's record: of two with the same place the lower one comes first. */
  readonly id: number;
  readonly position?: string;
}

const NUMBER = /^\s*[+-]?\d+(?:\.\d+)?\s*$/;
const RANGE = /^\s*(\d+(?:\.\d+)?)\s*-\s*(\d+(?:\.\d+)?)\s*$/;

/** What members are ordered by: classes 0 numbers, 1 everything else, 2 ranges; then two numbers. */
type Rank = readonly [group: number, first: number, second: number];

/**
 * The members of a series in their order: positions that are numbers, ascending; those that are none, or missing; ranges
 * `a-b`, narrow ones first, then by their lower bound. Ties by number of the work (Q240).
 */
export function sortBySeriesPosition<Member extends Positioned>(members: readonly Member[]): Member[] {
  const ranked = members.map((member) => ({ member, rank: rankOf(member.position ?? "") }));
  ranked.sort(
    ({ rank: a, member: one }, { rank: b, member: other }) =>
      a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || one.id - other.id,
  );
  return ranked.map(({ member }) => member);
}

function rankOf(position: string): Rank {
  if (NUMBER.test(position)) return [0, Number(position), 0];
  const [, from, to] = RANGE.exec(position) ?? [];
  if (from === undefined || to === undefined) return [1, 0, 0];
  return [2, Number(to) - Number(from), Number(from)];
}
