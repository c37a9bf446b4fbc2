/** A work in a series, as the order of members needs it (patrons.md 14.1). */
export interface Positioned {
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
export function inSeriesOrder<Member extends Positioned>(members: readonly Member[]): Member[] {
  const ranked = members.map((member) => ({ member, rank: rankOf(member.position ?? "") }));
  return ranked
    .sort((a, b) => compareRanks(a.rank, b.rank) || a.member.id - b.member.id)
    .map(({ member }) => member);
}

function rankOf(position: string): Rank {
  if (NUMBER.test(position)) return [0, Number(position), 0];
  const [, from, to] = RANGE.exec(position) ?? [];
  if (from === undefined || to === undefined) return [1, 0, 0];
  return [2, Number(to) - Number(from), Number(from)];
}

function compareRanks(a: Rank, b: Rank): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
