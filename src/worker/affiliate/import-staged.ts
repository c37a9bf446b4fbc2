import { datetimeText } from "../../catalog/datetime.ts";
import { failItem } from "../../db/imports/claims.ts";
import { type Claim, type StagedItem, claimStaged, releaseStaged } from "../../db/imports/staged.ts";
import { ImportFailure } from "../../import/failure.ts";
import { parseImport } from "../../import/parse.ts";
import { type LoadContext, loadRecord } from "../import/load-record.ts";
import { stagedLookup } from "../import/staged-record.ts";
import { botWriter } from "../import/writer.ts";

const encoder = new TextEncoder();

/**
 * Imports the first record that is staged for a book, and gives the others back (import.md 8.1). The key of the edition;
 * undefined when there was none, or it could not be imported, which its row then says. Throws `ItemLost` when somebody
 * else has taken the row meanwhile.
 */
export async function importFirstStaged(
  context: LoadContext,
  identifiers: readonly string[],
  { pendingToo }: Pick<Claim, "pendingToo">,
): Promise<string | undefined> {
  const { catalog } = context.stores;
  const claim = context.sources.newSecret();
  const now = datetimeText(context.sources.now());
  const [first] = await claimStaged(catalog, identifiers, { claim, now, pendingToo });
  if (first === undefined) return undefined;
  try {
    return await importItem(context, first, claim);
  } finally {
    // Whatever the service failed at waits for the next one who asks.
    await releaseStaged(catalog, claim);
  }
}

async function importItem(
  context: LoadContext,
  { id, data }: StagedItem,
  claim: string,
): Promise<string | undefined> {
  const { stores, settings, sources } = context;
  try {
    const record = await parseImport(encoder.encode(data ?? "{}"), [], stagedLookup(stores));
    const { edition } = await loadRecord(context, record, { ...botWriter(settings), item: { id, claim } });
    return edition.key;
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    const failure = { error: error.code, reason: error.message, now: datetimeText(sources.now()) };
    await failItem(stores.catalog, { id, claim }, failure);
    return undefined;
  }
}
