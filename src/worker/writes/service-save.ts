import { datetimeText } from "../../catalog/datetime.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import type { Jobs } from "../queue/job-kind.ts";
import { deskOf } from "./save.ts";
import { tellOfChange } from "./tell-of-change.ts";
import { writeError } from "./write-error.ts";

/** A change that a job makes. */
export interface ServiceChange {
  readonly kind: string;
  readonly comment?: string;
  readonly documents: readonly CatalogRecord[];
  /** Revisions that records must have now, by key. */
  readonly expected: Readonly<Record<string, number>>;
}

/**
 * Saves without a request, on the service's own account: nobody is named, and no permission is asked. Throws `writeError`, for
 * instance because somebody was faster.
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
