import { makeKey, sequenceOfType } from "../../catalog/key-numbers.ts";
import { lastSegmentOf } from "../../catalog/keys.ts";
import { type CatalogRecord, typeKeyOf } from "../../catalog/record.ts";
import { COVER_TO_COME } from "../../import/records/decision.ts";
import { COVER_SEQUENCE } from "../covers/read-covers.ts";
import { type CommitCondition, UNCHANGED, commitChange } from "../editing/commit.ts";
import { planSave, writtenBytesOf } from "../editing/save.ts";
import { insertPendingCover } from "../covers/write-covers.ts";
import { type RaisedSequence, type TakenNumbers, assignNumbers } from "../editing/numbers.ts";
import type { Spend } from "../editing/request.ts";
import type { Database, DatabaseSession } from "../statement.ts";
import { type Draft, withReferences } from "./draft.ts";
import { finishItem } from "./claims.ts";
import type { ClaimedItem, ImportJob, ImportResult } from "./import-request.ts";
import { hitsSql, propertyHitsSql, workLookupsOf } from "./lookup-sql.ts";
import type { ImportReading } from "./read-found.ts";

/**
 * Condition that holds if also the other referenced records have their expected types, the item still has the same
 * claim, and the lookups return the same hits.
 */
const IMPORT_UNCHANGED = `(${UNCHANGED}
  AND NOT EXISTS (SELECT 1 FROM json_each(?10, '$.types') e LEFT JOIN record r ON r.key = e.value->>0
                  WHERE r.type IS DISTINCT FROM e.value->>1)
  AND (?10->>'$.item.id' IS NULL OR EXISTS (SELECT 1 FROM import_item
       WHERE id = CAST(?10->>'$.item.id' AS BIGINT) AND status = 'processing' AND claim = ?10->>'$.item.claim'))
  AND (SELECT count(*) = CAST(?10->>'$.count' AS BIGINT) AND
              count(*) = count(CASE WHEN (h.n, h.id) IN (
                SELECT CAST(e.value->>0 AS BIGINT), CAST(e.value->>1 AS BIGINT) FROM json_each(?10, '$.pairs') e) THEN 1 END)
       FROM (${hitsSql("?10")} UNION ALL ${propertyHitsSql("?10", "works")}) h))`;

/** Returns the condition for committing an import: everything that the decision was based on is unchanged. */
export function unchangedCondition(
  reading: ImportReading,
  { types, raised }: Pick<Draft, "types"> & { readonly raised: readonly RaisedSequence[] },
  item?: ClaimedItem,
): CommitCondition {
  const { lookups, pairs, authors, works } = reading.hits;
  const { list, names, workTitle } = lookups;
  const numbers = new Map(authors.map((author, index) => [author, names.length + index]));
  const all = [...pairs, ...works.map(([author, id]) => [numbers.get(author), id])];
  const value = {
    ...list,
    works: workLookupsOf(authors, workTitle, names.length),
    records: [...reading.stored.values()].map(({ key, change }) => [key, change]),
    sequences: raised.map(({ name, from }) => [name, from]),
    types,
    item: item ?? null,
    pairs: all,
    count: all.length,
  };
  return { sql: IMPORT_UNCHANGED, value: JSON.stringify(value) };
}

/**
 * Function that allocates numbers: the requested count per sequence, each number only once. `current` has the highest
 * numbers if the import may raise the sequences itself.
 */
export type AllocateNumbers = (
  database: Database,
  counts: ReadonlyMap<string, number>,
  current: ReadonlyMap<string, number> | undefined,
) => Promise<TakenNumbers>;

interface Committing {
  readonly reading: ImportReading;
  readonly job: ImportJob;
  /** Naive UTC. */
  readonly now: string;
  readonly numbers: AllocateNumbers;
  /** False if the numbers must be reserved. */
  readonly mayRaise: boolean;
  readonly spend: Spend | undefined;
}

/**
 * Stores a draft: allocates numbers for new records, then runs one transaction. Returns "conflict", without any effect,
 * if a record or lookup changed since it was read, or a failure if the author has used up a byte budget.
 */
export async function commitImport(
  session: DatabaseSession,
  draft: Draft,
  { reading, job, now, numbers: allocate, mayRaise, spend }: Committing,
): Promise<ImportResult | "conflict"> {
  const { decision } = draft;
  const { prefix, author, bot, ip, item } = job;
  const types = decision.created.map((record) => typeKeyOf(record) ?? "");
  const sequences = types.map((type) => sequenceOfType(type) ?? "");
  if (decision.cover !== undefined) sequences.push(COVER_SEQUENCE);
  const { numbers, raised } = await assignNumbers(sequences, (counts) =>
    allocate(session, counts, mayRaise ? reading.sequences : undefined),
  );
  const keys = types.map(
    (type, index) => makeKey(type, { prefix, number: numbers[index] ?? 0, owner: null }) ?? "",
  );
  const cover = decision.cover === undefined ? null : (numbers.at(-1) ?? null);
  const names = new Map(draft.keys.map((key, index) => [key, keys[index] ?? key]));
  const writes = draft.writes.map((write) => ({
    ...write,
    key: names.get(write.key) ?? write.key,
    members: withCover(withReferences(write.members, names), cover),
  }));
  const reply = withReferences(decision.reply, new Map(keys.map((key, index) => [`/__new__/${index}`, key])));
  const plan = planSave(writes, { prefix, now, stored: reading.stored, ids: new Map() });
  const exceeded = await spend?.(writtenBytesOf(plan.writes));
  if (exceeded !== undefined) return { ok: false, why: "spent", failure: exceeded };
  const olid = lastSegmentOf(reply.edition.key);
  const sourceUrl = decision.cover ?? "";
  const { kind, comment } = decision;
  const changes = JSON.stringify(plan.saved);
  const change = await commitChange(session, {
    entry: { kind, author, comment, bot, ip, created: now, changes, data: "{}" },
    writes: plan.writes,
    // Reserved numbers have raised the others.
    sequences: new Map(raised.map(({ name, to }) => [name, to])),
    condition: unchangedCondition(reading, { types: draft.types, raised }, item),
    also: [
      // The cover of the edition; its image is fetched later.
      ...(cover === null ? [] : [insertPendingCover({ id: cover, olid, sourceUrl, author, ip, now })]),
      ...(item === undefined ? [] : [finishItem(item, reply, now)]),
    ],
  });
  if (change === "conflict") return change;
  const saved = { change, affected: plan.affected, bookmark: session.getBookmark() };
  return { ok: true, reply, saved, cover };
}

function withCover(members: CatalogRecord, cover: number | null): CatalogRecord {
  const { covers } = members;
  if (cover === null || !Array.isArray(covers) || !covers.includes(COVER_TO_COME)) return members;
  return { ...members, covers: covers.map((value) => (value === COVER_TO_COME ? cover : value)) };
}
