import type { ImportJob, ImportResult } from "./import-request.ts";
import { type Text, english } from "../../catalog/texts.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import { ADMIN_USER } from "../../catalog/roles.ts";
import { ImportFailure, storeError } from "../../import/failure.ts";
import { decide } from "../../import/records/decide.ts";
import type { LanguageIndex } from "../../import/records/snapshot.ts";
import { lookupsOf } from "../../import/records/record-lookups.ts";
import { retryUntilCommitted } from "../editing/commit.ts";
import type { Spend } from "../editing/request.ts";
import { readRights } from "../records/permissions.ts";
import { type Database, type Store, firstRow } from "../statement.ts";
import { finishItem } from "./claims.ts";
import { type AllocateNumbers, commitImport } from "./commit-import.ts";
import { type Draft, prepareDraft, withReferences } from "./draft.ts";
import { type ImportReading, FOUND_BYTES_BESIDE, readFound } from "./read-found.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { readLanguageIndex } from "./language-index.ts";

// Q342: records without protection are open to every account that may import.
/**
 * Throws ImportFailure if the author may not make these changes, by the rules of the record store. Importers may write
 * all unprotected records, so rights are read only if one of the records or a whole folder is protected: one round
 * trip.
 */
async function checkPermission(
  database: Database,
  { writes }: Draft,
  { reading, author }: { reading: ImportReading; author: string },
): Promise<void> {
  const isAny = reading.places.some(({ permission, child }) => permission !== null || child !== null);
  const isProtected = writes.some(
    ({ before }) =>
      before?.document["permission"] !== undefined || before?.document["child_permission"] !== undefined,
  );
  if (author === ADMIN_USER || (!isAny && !isProtected)) return;
  const keys = writes.map(({ key }) => key);
  const { mayWrite } = await readRights(database, author, keys);
  const denied = writes.find(({ key }) => !mayWrite(key));
  if (denied === undefined) return;
  const { key, before } = denied;
  // The client never sees the keys of new records.
  const text: Text =
    before === undefined
      ? { key: "permission_denied.create_any" }
      : { key: "permission_denied.modify", values: { key } };
  throw new ImportFailure("bad-request", storeError("permission_denied"), {
    message: english(text),
    ...(before !== undefined && { at: { key } }),
  });
}

export interface Importing {
  readonly catalog: Store;
  /** The languages of a version (`Reading.languages`). */
  languages(database: Database, version: string): Promise<LanguageIndex>;
  /** Returns the time of a change requested at `now`, never earlier than the newest change. */
  time(now: string, newest: string): string;
  readonly numbers: AllocateNumbers;
  /** Called before a change is committed. Nothing is counted if undefined. */
  readonly spend?: Spend | undefined;
  /** Called when a concurrent change won. */
  conflicted?(): void;
  /** Runs memory-intensive work exclusively. Returns undefined if too much such work is waiting. */
  alone<Result>(work: () => Promise<Result>): Promise<Result | undefined>;
}

class TooLarge extends ImportFailure {
  constructor() {
    super("bad-request", storeError("too_large"), {
      message: english({ key: "too_large.compared_records" }),
    });
  }
}

/**
 * Reads, decides and commits, and retries on conflicts. Runs exclusively if the record has a lot to be compared with.
 * Throws ImportFailure.
 */
export async function importPrepared(context: Importing, job: ImportJob): Promise<ImportResult> {
  try {
    return await importUntilDone(context, { ...job, foundBytes: FOUND_BYTES_BESIDE });
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
  }
  return (await context.alone(() => importUntilDone(context, job))) ?? { ok: false, why: "busy" };
}

async function importUntilDone(context: Importing, job: ImportJob): Promise<ImportResult> {
  let mayRaise = true;
  const result = await retryUntilCommitted(async () => {
    const outcome = await attemptImport(context, job, mayRaise);
    if (outcome === "conflict") context.conflicted?.();
    mayRaise = false;
    return outcome;
  });
  return result ?? { ok: false, why: "busy" };
}

/**
 * Makes one attempt: one statement to read, one to reserve numbers for new records unless it may raise the sequences
 * itself, one transaction to write. Returns "conflict" if a concurrent change won. Throws ImportFailure.
 */
export async function attemptImport(
  context: Omit<Importing, "alone">,
  job: ImportJob,
  mayRaise: boolean,
): Promise<ImportResult | "conflict"> {
  // Each attempt has its own session, so that it does not reuse the reads of a failed one.
  const session = context.catalog.withSession("first-primary");
  const { author, item } = job;
  const requested = formatDatetime(job.now);
  const { reading, draft } = await readDraft(session, context, job);
  if (!reading.isClaimed) return { ok: false, why: "item-lost" };
  if (reading.isReadOnly) return { ok: false, why: "read-only" };
  if (draft.writes.length === 0) {
    const { reply } = draft.decision;
    const isLost =
      item !== undefined && (await firstRow(session, finishItem(item, reply, requested))) === undefined;
    return isLost ? { ok: false, why: "item-lost" } : { ok: true, reply, saved: null, cover: null };
  }
  await checkPermission(session, draft, { reading, author });
  const now = context.time(requested, reading.newest);
  const { numbers, spend } = context;
  return commitImport(session, draft, { reading, job, now, numbers, mayRaise, spend });
}

/** Drafts the import of a record and returns it with the reading it is based on. Throws ImportFailure. */
async function readDraft(
  database: Database,
  context: Pick<Importing, "languages">,
  job: ImportJob,
): Promise<{ readonly reading: ImportReading; readonly draft: Draft }> {
  const { record, item, foundBytes: bytes, prefix } = job;
  const reading = await readFound(database, { lookups: lookupsOf(record), item, bytes });
  if (!reading.isComplete) throw new TooLarge();
  const languages = await context.languages(database, reading.languages);
  const decision = decide(record, { ...reading.found, languages }, job);
  return { reading, draft: await prepareDraft(database, decision, { reading, languages, prefix }) };
}

// Q345: the documents are the ones an import would store.
/**
 * Reads and decides like an import, but saves nothing. New records have keys such as `/books/__new__<id>`, which are
 * never assigned; `newId` generates the ids. The documents come in display order: authors, work, edition for a new book;
 * edition, work for an existing one. Throws ImportFailure. Two statements.
 */
export async function previewJob(database: Database, job: ImportJob, newId: () => string) {
  const { draft } = await readDraft(database, { languages: readLanguageIndex }, job);
  const { keys, writes, decision } = draft;
  const names = new Map(
    keys.flatMap((key, index) => {
      const displayKey = `${key.slice(0, key.lastIndexOf("/"))}/__new__${newId()}`;
      return [[key, displayKey] as const, [`/__new__/${index}`, displayKey] as const];
    }),
  );
  const order = ["/type/author", "/type/work", "/type/edition"];
  const direction = decision.kind === "add-book" ? 1 : -1;
  const edits = writes
    .toSorted((a, b) => direction * (order.indexOf(a.type) - order.indexOf(b.type)))
    .map(({ key, type, members }): CatalogRecord =>
      withReferences(Object.assign({ type: { key: type } }, members, { key }), names),
    );
  return { reply: withReferences(decision.reply, names), edits };
}
