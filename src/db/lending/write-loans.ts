import type { HoldingLine } from "../../catalog/lending/holdings.ts";
import type { DeskLoan } from "../../catalog/lending/loan.ts";
import { batchRows, rows, type Database } from "../statement.ts";
import type { LentItem, WaitingPatronRow } from "./holdings.ts";

/** Loan as reported by its desk; `returnedAt` null: still active. */
export type EndedLoan = DeskLoan & { readonly returnedAt: number | null };

/** Report of a desk: changed loans and places, and the state of its item. Times are milliseconds since the epoch. */
export interface DeskReport extends LentItem {
  readonly sequence: number;
  readonly loans: readonly EndedLoan[];
  /** Changed places; `place` null: the patron has none (any more). */
  readonly places: readonly { readonly patron: string; readonly place: WaitingPatronRow | null }[];
}

/** True if the report is the newest of the item: a late one changes nothing. */
const IS_NEWEST = "(SELECT sequence FROM lending_item WHERE ocaid = ?1) = ?2";

/**
 * Stores the report of a desk, in one transaction. Reports may be repeated and late: the data of a newer report stay,
 * because it included everything of the older one.
 */
export async function storeReport(patrons: Database, report: DeskReport): Promise<void> {
  const { ocaid, sequence, borrows, browses, waiting, reserved, lastLoan, lastWaiting, nextExpiry } = report;
  const loans = [ocaid, sequence, JSON.stringify(report.loans)];
  const places = [ocaid, sequence, JSON.stringify(report.places)];
  await batchRows(patrons, [
    {
      sql: PUT_ITEM,
      values: [ocaid, sequence, borrows, browses, waiting, reserved, lastLoan, lastWaiting, nextExpiry],
    },
    { sql: PUT_LOANS, values: loans },
    { sql: PUT_HISTORY, values: loans },
    { sql: PUT_BORROWS, values: loans },
    { sql: PUT_RETURNS, values: loans },
    { sql: DROP_PLACES, values: places },
    { sql: PUT_PLACES, values: places },
  ]);
}

const PUT_ITEM = `
  INSERT INTO lending_item VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
  ON CONFLICT (ocaid) DO UPDATE SET
    sequence = excluded.sequence, borrows = excluded.borrows, browses = excluded.browses,
    waiting = excluded.waiting, reserved = excluded.reserved, last_loan = excluded.last_loan,
    last_waiting = excluded.last_waiting, next_expiry = excluded.next_expiry
  WHERE excluded.sequence >= sequence`;

/** Returns the condition that a change has no row yet. A conflict would leave a gap in the numbers. */
function isUnrecordedSql(event: "borrow" | "return"): string {
  return `NOT EXISTS (SELECT 1 FROM lending_change c WHERE c.loan = l.value->>'uuid' AND c.event = '${event}')`;
}

const PUT_LOANS = `
  INSERT INTO loan (uuid, ocaid, patron, book, kind, loaned_at, expiry, returned_at)
  SELECT l.value->>'uuid', ?1, l.value->>'patron', l.value->>'book', l.value->>'kind', l.value->>'loanedAt',
         l.value->>'expiry', l.value->>'returnedAt'
  FROM json_each(?3) l WHERE ${IS_NEWEST}
  ON CONFLICT (uuid) DO UPDATE SET expiry = excluded.expiry, returned_at = excluded.returned_at`;

const PUT_HISTORY = `
  INSERT INTO loan_history (patron, ocaid, last_loan)
  SELECT l.value->>'patron', ?1, l.value->>'loanedAt'
  FROM json_each(?3) l WHERE l.value->>'returnedAt' IS NOT NULL AND ${IS_NEWEST}
  ON CONFLICT (patron, ocaid) DO UPDATE SET last_loan = max(last_loan, excluded.last_loan)`;

const PUT_BORROWS = `
  INSERT INTO lending_change (time, ocaid, patron, loan, event, until)
  SELECT l.value->>'loanedAt', ?1, l.value->>'patron', l.value->>'uuid', 'borrow', l.value->>'expiry'
  FROM json_each(?3) l WHERE ${IS_NEWEST} AND ${isUnrecordedSql("borrow")} ORDER BY l.value->>'loanedAt', l.key`;

const PUT_RETURNS = `
  INSERT INTO lending_change (time, ocaid, patron, loan, event)
  SELECT l.value->>'returnedAt', ?1, l.value->>'patron', l.value->>'uuid', 'return'
  FROM json_each(?3) l WHERE l.value->>'returnedAt' IS NOT NULL AND ${IS_NEWEST}
    AND ${isUnrecordedSql("return")}
  ORDER BY l.value->>'returnedAt', l.key`;

const DROP_PLACES = `
  DELETE FROM waiting_loan
  WHERE ocaid = ?1 AND patron IN (SELECT p.value->>'patron' FROM json_each(?3) p) AND ${IS_NEWEST}`;

const PUT_PLACES = `
  INSERT INTO waiting_loan (ocaid, number, patron, book, since, updated, expiry)
  SELECT ?1, p.value->>'$.place.number', p.value->>'patron', p.value->>'$.place.book', p.value->>'$.place.since',
         p.value->>'$.place.updated', p.value->>'$.place.expiry'
  FROM json_each(?3) p WHERE p.value->>'$.place' IS NOT NULL AND ${IS_NEWEST}`;

/**
 * Removes a patron's name (in lower case) from all loans and changes, which stay anonymous; deletes the history.
 * Requires that the patron's loans have been returned, or their desks would report the name again.
 */
export async function forgetPatron(patrons: Database, patron: string): Promise<void> {
  await batchRows(
    patrons,
    [
      "UPDATE loan SET patron = NULL WHERE patron = ?1",
      "UPDATE lending_change SET patron = NULL WHERE patron = ?1",
      "DELETE FROM loan_history WHERE patron = ?1",
    ].map((sql) => ({ sql, values: [patron] })),
  );
}

/** Stores items of the holdings, replacing existing rows. `now`: naive UTC. */
export async function putItems(catalog: Database, items: readonly HoldingLine[], now: string): Promise<void> {
  const sql = `INSERT INTO item (ocaid, collections, access_restricted, copies, browse, mediatype, imagecount, updated)
               SELECT i.value->>'ocaid', i.value->'collections',
                      CAST(i.value->>'accessRestricted' AS BIGINT), CAST(i.value->>'copies' AS BIGINT),
                      CAST(i.value->>'browse' AS BIGINT), i.value->>'mediatype',
                      CAST(i.value->>'imagecount' AS BIGINT), ?2
               FROM json_each(?1) i WHERE true
               ON CONFLICT (ocaid) DO UPDATE SET
                 collections = excluded.collections, access_restricted = excluded.access_restricted,
                 copies = excluded.copies, browse = excluded.browse, mediatype = excluded.mediatype,
                 imagecount = excluded.imagecount, updated = excluded.updated`;
  // The columns are numbers, and JSON has booleans.
  const lines = items.map((item) => ({
    ...item,
    accessRestricted: Number(item.accessRestricted),
    browse: Number(item.browse),
  }));
  await rows(catalog, { sql, values: [JSON.stringify(lines), now] });
}
