import { CarrelError } from "../../errors.ts";
import { WRITER_REFUSED } from "../../writes/spam.ts";

/** Statuses of refused documents which the hooks answer with 400. */
const REFUSED: ReadonlySet<number> = new Set([403, 404, 409, 413]);

/**
 * Runs a write; what would be 403, 404, 409 or 413 with PUT is a 400 with the same body (Q103). `describe` makes another
 * body of it.
 */
export async function refusedAs400<T>(
  write: () => Promise<T>,
  describe: (error: CarrelError) => Readonly<Record<string, unknown>> | null = ({ body }) => body,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof CarrelError)) throw error;
    const status = REFUSED.has(error.status) ? 400 : error.status;
    if (status !== 400 || error.code === WRITER_REFUSED) throw error;
    throw new CarrelError(status, error.code, { message: error.message, body: describe(error) });
  }
}
