import { batchRows, rows } from "../statement.ts";

/** Items at whose desks the tables say that a patron (username in lower case) has a loan or a place. */
export async function readItemsOfPatron(patrons: D1Database, patron: string): Promise<string[]> {
  const found = await rows<{ ocaid: string }>(patrons, {
    sql: `SELECT ocaid FROM loan WHERE patron = ?1 AND returned_at IS NULL
          UNION SELECT ocaid FROM waiting_loan WHERE patron = ?1`,
    values: [patron],
  });
  return found.map(({ ocaid }) => ocaid);
}

/**
 * Takes a patron's name (in lower case) from all that was lent to him: loans and changes stay, of nobody; his history goes.
 * His loans are returned before, else their desks would tell the name again.
 */
export async function forgetPatron(patrons: D1Database, patron: string): Promise<void> {
  await batchRows(
    patrons,
    [
      "UPDATE loan SET patron = NULL WHERE patron = ?1",
      "UPDATE lending_change SET patron = NULL WHERE patron = ?1",
      "DELETE FROM loan_history WHERE patron = ?1",
    ].map((sql) => ({ sql, values: [patron] })),
  );
}
