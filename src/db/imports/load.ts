import type { PreparedWrite } from "../../catalog/editing/rights.ts";
import { ADMIN_USER } from "../../catalog/roles.ts";
import { ImportFailure } from "../../import/failure.ts";
import { decide } from "../../import/load/decide.ts";
import type { DecideOptions } from "../../import/load/decision.ts";
import type { LanguageIndex } from "../../import/load/found.ts";
import { lookupsOf } from "../../import/load/record-lookups.ts";
import type { ImportRecord } from "../../import/record.ts";
import { untilCommitted } from "../editing/commit.ts";
import type { Spend } from "../editing/request.ts";
import { readRights } from "../records/permissions.ts";
import { type Database, type Store, firstRow } from "../statement.ts";
import { finishItem } from "./claims.ts";
import { type GiveNumbers, type Loading, commitLoad } from "./commit-load.ts";
import { type Draft, draftOf } from "./draft.ts";
import type { LoadResult } from "./load-request.ts";
import { type Reading, FOUND_BYTES_BESIDE, readFound } from "./read-found.ts";

// Q342: what nobody has protected is open to all who may import.
/**
 * Refuses to change what its writer may not, as the record store does. Who may import may write all records that nobody
 * has protected; only where one of these is, or a whole folder, more is read: one round trip.
 */
async function checkPermission(
  database: Database,
  { writes }: Draft,
  { reading, author }: { readonly reading: Reading; readonly author: string },
): Promise<void> {
  const isAny = reading.places.some(({ permission, child }) => permission !== null || child !== null);
  if (author === ADMIN_USER || (!isAny && !writes.some(isProtected))) return;
  const keys = writes.map(({ key }) => key);
  const { mayWrite } = await readRights(database, author, keys);
  const denied = writes.find(({ key }) => !mayWrite(key));
  if (denied === undefined) return;
  const { key, before } = denied;
  // Nobody has seen the keys of new records.
  throw new ImportFailure("bad-request", "permission_denied", {
    message:
      before === undefined
        ? "Permission denied to create records here"
        : `Permission denied to modify '${key}'`,
    ...(before !== undefined && { at: { key } }),
  });
}

function isProtected({ before }: PreparedWrite): boolean {
  return before?.document["permission"] !== undefined || before?.document["child_permission"] !== undefined;
}

/** What imports are made with. */
export interface Importing {
  readonly catalog: Store;
  /** The languages of a version (`Reading.languages`). */
  languages(database: Database, version: string): Promise<LanguageIndex>;
  /** The time of a change that was asked for at `now`: never before that of the newest one. */
  time(now: string, newest: string): string;
  readonly numbers: GiveNumbers;
  /** Called before a change is committed. Nothing is counted if undefined. */
  readonly spend?: Spend | undefined;
  /** Told when somebody was faster. */
  conflicted?(): void;
  /** Does work that takes much memory when no other such work is done; undefined when too much of it waits. */
  alone<Result>(work: () => Promise<Result>): Promise<Result | undefined>;
}

/** A prepared record that is to be imported. */
export interface LoadJob {
  readonly record: ImportRecord;
  readonly options: DecideOptions;
  readonly loading: Loading;
  /** Most bytes of the documents that the record is compared with; `FOUND_BYTES` by default. */
  readonly foundBytes?: number;
}

/** Too much would have to be in memory. */
class TooLarge extends ImportFailure {
  constructor() {
    super("bad-request", "too_large", {
      message: "the records that this one is to be compared with are too large",
    });
  }
}

/** Reads, decides and commits until nobody is in between; with very much to compare, alone. Throws ImportFailure. */
export async function loadPrepared(importing: Importing, job: LoadJob): Promise<LoadResult> {
  try {
    return await loadUntilDone(importing, { ...job, foundBytes: FOUND_BYTES_BESIDE });
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
  }
  return (await importing.alone(() => loadUntilDone(importing, job))) ?? { ok: false, why: "busy" };
}

async function loadUntilDone(importing: Importing, job: LoadJob): Promise<LoadResult> {
  const result = await untilCommitted(async () => {
    const outcome = await attemptLoad(importing, job);
    if (outcome === "conflict") importing.conflicted?.();
    return outcome;
  });
  return result ?? { ok: false, why: "busy" };
}

/** One attempt: one statement reads, one takes numbers for new records, one transaction writes. */
export async function attemptLoad(
  importing: Omit<Importing, "alone">,
  job: LoadJob,
): Promise<LoadResult | "conflict"> {
  // A session of its own: what a failed attempt has read must not be read again.
  const session = importing.catalog.withSession("first-primary");
  const { loading } = job;
  const { reading, draft } = await draftFor(session, importing, job);
  if (!reading.isClaimed) return { ok: false, why: "item-lost" };
  if (reading.isReadOnly) return { ok: false, why: "read-only" };
  if (draft.writes.length === 0) return unchangedResult(session, draft, loading);
  await checkPermission(session, draft, { reading, author: loading.author });
  const now = importing.time(loading.now, reading.newest);
  const { numbers, spend } = importing;
  const done = await commitLoad(session, draft, { reading, loading: { ...loading, now }, numbers, spend });
  if (done === "conflict") return done;
  if ("error" in done) return { ok: false, why: "spent", failure: done };
  const { reply, change, affected, cover } = done;
  return { ok: true, reply, saved: { change, affected, bookmark: session.getBookmark() }, cover };
}

/** What would be stored of a record, and what that was decided on. Throws ImportFailure. */
export async function draftFor(
  database: Database,
  importing: Pick<Importing, "languages">,
  { record, options, loading, foundBytes }: LoadJob,
): Promise<{ readonly reading: Reading; readonly draft: Draft }> {
  const query = { lookups: lookupsOf(record), item: loading.item, bytes: foundBytes };
  const reading = await readFound(database, query);
  if (!reading.isComplete) throw new TooLarge();
  const languages = await importing.languages(database, reading.languages);
  const decision = decide(record, { ...reading.found, languages }, options);
  return {
    reading,
    draft: await draftOf(database, decision, { reading, languages, prefix: options.prefix }),
  };
}

/** Nothing is to be stored but that the item is done. */
async function unchangedResult(
  database: Database,
  { decision: { reply } }: Draft,
  { item, now }: Loading,
): Promise<LoadResult> {
  const isLost = item !== undefined && (await firstRow(database, finishItem(item, reply, now))) === undefined;
  return isLost ? { ok: false, why: "item-lost" } : { ok: true, reply, saved: null, cover: null };
}
