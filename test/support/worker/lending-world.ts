import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { type TestBorrower, deskOf } from "./lending.ts";

/** A loan or a place as the desk of an item has it. */
interface DeskRow {
  readonly patron: string;
  readonly uuid?: string;
  readonly kind?: string;
  readonly number?: number;
  readonly expiry: number | null;
}

/** Stored state of an item's desk. */
export interface DeskView {
  readonly copies: number;
  readonly loans: readonly DeskRow[];
  /** In order. */
  readonly places: readonly DeskRow[];
  /** Number of subjects left in the lending outbox. */
  readonly untold: number;
}

const OLD_MS = 10 * 60_000;

/** Looks into the desk of an item. */
export function viewDesk(ocaid: string): Promise<DeskView> {
  return runInDurableObject(deskOf(ocaid), (_desk, { storage: { sql } }) => {
    const rows = (text: string): DeskRow[] => [...sql.exec<Record<keyof DeskRow, never>>(text)];
    const copies = [...sql.exec<{ value: string }>("SELECT value FROM state WHERE name = 'copies'")];
    return {
      copies: Number(copies[0]?.value ?? 0),
      loans: rows("SELECT patron, uuid, kind, expiry FROM loan ORDER BY uuid"),
      places: rows("SELECT patron, number, expiry FROM place ORDER BY number"),
      untold: rows("SELECT subject FROM news").length,
    };
  });
}

/** Makes an object end at once, as when its machine does: who waits for an answer of it gets none. */
export async function kill(stub: DurableObjectStub): Promise<void> {
  const dying = runInDurableObject(stub, (_object, state) => state.abort("killed on purpose"));
  await dying.catch(() => undefined);
}

/** Keeps a patron's object from noting what it hears, or lets it again. */
export async function setDeaf({ name }: TestBorrower, isDeaf: boolean): Promise<void> {
  const sql = isDeaf
    ? `CREATE TRIGGER IF NOT EXISTS deaf BEFORE INSERT ON lending BEGIN SELECT RAISE(ABORT, 'deaf on purpose'); END`
    : "DROP TRIGGER IF EXISTS deaf";
  await runInDurableObject(env.PATRON.getByName(name), (_patron, { storage }) => {
    storage.sql.exec(sql);
  });
}

/** Keeps the tables from taking what desks tell, or lets them again. */
export async function setTablesAway(isAway: boolean): Promise<void> {
  const [from, to] = isAway ? ["lending_item", "lending_item_away"] : ["lending_item_away", "lending_item"];
  await env.PATRONS.prepare(`ALTER TABLE ${from} RENAME TO ${to}`).run();
}

/** Lets what a patron has wished for and heard be long ago. */
export async function age({ name }: TestBorrower): Promise<void> {
  await runInDurableObject(env.PATRON.getByName(name), (_patron, { storage: { sql } }) => {
    sql.exec("UPDATE lending_wish SET asked = asked - ?", OLD_MS);
    sql.exec("UPDATE lending SET heard = heard - ?", OLD_MS);
  });
}

/** Items that a patron waits for, according to their object. */
export function waitsFor({ name }: TestBorrower): Promise<string[]> {
  return runInDurableObject(env.PATRON.getByName(name), (_patron, { storage: { sql } }) =>
    [...sql.exec<{ ocaid: string }>("SELECT ocaid FROM lending WHERE waits = 1 ORDER BY ocaid")].map(
      ({ ocaid }) => ocaid,
    ),
  );
}

/** Lets a desk tell all that it has not told. */
export async function tellAll(ocaid: string): Promise<void> {
  for (let round = 0; round < 5 && (await viewDesk(ocaid)).untold > 0; round += 1) {
    await runDurableObjectAlarm(deskOf(ocaid));
  }
}
