import { datetimeText } from "../../catalog/datetime.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import type { Stores } from "../http/bindings.ts";
import { type Jobs, announceChange } from "../http/queue.ts";
import { wakeListeners } from "./feed.ts";
import { deskOf, writeError } from "./save.ts";

/** Tells projections and listeners of a change that was made without a request. A failure is logged only. */
export async function tellOfChange(
  { indexQueue, changeFeed }: Pick<Stores, "indexQueue" | "changeFeed">,
  change: number,
): Promise<void> {
  await announceChange(indexQueue, change);
  await wakeListeners(changeFeed, change);
}

/** A change that a job makes. */
interface ServiceChange {
  readonly kind: string;
  readonly comment?: string;
  readonly documents: readonly CatalogRecord[];
  /** Revisions that records must have now, by key. */
  readonly expected: Readonly<Record<string, number>>;
}

/**
 * Saves without a request, on the service's own account: nobody is named, and no permission is asked. Throws
 * `writeError`, for instance because somebody was faster.
 */
export async function saveAsService({ stores, sources }: Jobs, change: ServiceChange): Promise<void> {
  const { kind, comment = null, documents, expected } = change;
  const result = await deskOf(stores).save({
    writer: { author: null, bot: false, ip: null, authority: "service" },
    kind,
    comment,
    data: "{}",
    documents: JSON.stringify(documents),
    expected,
    now: datetimeText(sources.now()),
  });
  if (!result.ok) throw writeError(result.failures);
  if (result.change !== null) await tellOfChange(stores, result.change);
}
