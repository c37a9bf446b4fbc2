import { mapShelves } from "../../catalog/patrons/shelves.ts";
import {
  type CountedState,
  type CountsWithOwn,
  type ObservationCounts,
  readCountsWithOwn,
} from "../../db/patrons/counts.ts";
import type { WorkCounts } from "../../search/documents/types.ts";
import type { RequestContext } from "../http/operation.ts";
import { optionalSession, patronOf } from "../http/session.ts";

/** Counts of a work as one client sees them: a patron's own recent changes count at once. */
interface OwnView {
  counts: WorkCounts;
  observations: ObservationCounts;
  /** False if all clients get the same counts, so caches may store them. */
  isOwn: boolean;
}

/**
 * Returns the counts of a work, with unconfirmed changes of the session's patron. Reads the patron's object first:
 * changes that it reports as confirmed are in the database when it is read afterwards.
 */
export async function readOwnCounts(context: RequestContext, work: number): Promise<OwnView> {
  const session = await optionalSession(context);
  const { patrons } = context.stores;
  if (session === undefined) {
    const database = patrons.withSession("first-unconstrained");
    return { ...(await readCountsWithOwn(database, work, NO_USERNAME)), isOwn: false };
  }
  const item = await patronOf(context.stores, session.username).upkeep.unconfirmed("work", String(work));
  const stored = await readCountsWithOwn(patrons, work, session.username);
  // `unconfirmed` returns the requested kind.
  if (item?.kind !== "work" || item.sequence <= stored.sequence) return { ...stored, isOwn: true };
  return { ...replaceOwn(stored, item.state ?? NO_STATE), isOwn: true };
}

const NO_USERNAME = "";
const NO_STATE: CountedState = { shelf: null, stars: null, observations: [] };

function replaceOwn(
  { counts, observations, own: before }: CountsWithOwn,
  now: CountedState,
): Omit<OwnView, "isOwn"> {
  const onShelf = (shelf: number): number => Number(now.shelf === shelf) - Number(before.shelf === shelf);
  const stars = (number: number): number => Number(now.stars === number) - Number(before.stars === number);
  const [one, two, three, four, five] = counts.ratings;
  const { respondents, types, values } = observations;
  return {
    counts: {
      ratings: [one + stars(1), two + stars(2), three + stars(3), four + stars(4), five + stars(5)],
      ...mapShelves("member", ({ id, member }) => counts[member] + onShelf(id)),
    },
    observations: {
      respondents: respondents + Number(now.observations.length > 0) - Number(before.observations.length > 0),
      types: shiftCounts(types, typesOf(before.observations), typesOf(now.observations)),
      values: shiftCounts(values, before.observations, now.observations),
    },
  };
}

function typesOf(codes: readonly string[]): number[] {
  return [...new Set(codes.map((code) => Number(code.slice(0, code.indexOf(".")))))];
}

function shiftCounts<Key>(
  counts: ReadonlyMap<Key, number>,
  before: readonly Key[],
  after: readonly Key[],
): ReadonlyMap<Key, number> {
  const result = new Map(counts);
  for (const key of before) result.set(key, (result.get(key) ?? 0) - 1);
  for (const key of after) result.set(key, (result.get(key) ?? 0) + 1);
  for (const [key, count] of result) if (count === 0) result.delete(key);
  return result;
}
