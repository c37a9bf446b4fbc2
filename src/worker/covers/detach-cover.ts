import { parseDocument } from "../../catalog/document.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import type { ClaimedCover } from "../../db/covers/pending.ts";
import { readShowing } from "../../db/covers/read.ts";
import type { RecordRow } from "../../db/records/read.ts";
import { CarrelError } from "../http/errors.ts";
import type { Jobs } from "../http/queue.ts";
import { saveAsService } from "../history/service-save.ts";

/** How often the records are read again because somebody else has changed them in between. */
const DETACH_ATTEMPTS = 5;

/**
 * Takes the number of a cover that has no image out of `covers` of its edition, and of the works that the edition belongs to
 * or has left, as one change of the service's own. Does nothing where it stands no longer.
 */
export async function detachCover(
  { id, olid }: Pick<ClaimedCover, "id" | "olid">,
  problem: string,
  jobs: Jobs,
): Promise<void> {
  if (olid === null) return;
  const database = jobs.stores.catalog.withSession("first-primary");
  for (let attempt = 1; ; attempt += 1) {
    const rows = await readShowing(database, `/books/${olid}`);
    const showing = rows.flatMap((row) => withoutCover(row, id) ?? []);
    if (showing.length === 0) return;
    try {
      return await saveAsService(jobs, {
        kind: "update-book-covers",
        comment: `Cover ${id} could not be fetched: ${problem}`,
        documents: showing.map(({ document }) => document),
        expected: Object.fromEntries(showing.map(({ key, revision }) => [key, revision])),
      });
    } catch (error) {
      const isOutdated = error instanceof CarrelError && error.status === 409;
      if (!isOutdated || attempt === DETACH_ATTEMPTS) throw error;
    }
  }
}

interface Changed {
  readonly key: string;
  readonly revision: number;
  readonly document: CatalogRecord;
}

function withoutCover({ key, revision, document: text }: RecordRow, id: number): Changed | undefined {
  const document = parseDocument(text);
  const { covers } = document;
  if (!Array.isArray(covers) || !covers.includes(id)) return undefined;
  return { key, revision, document: { ...document, covers: covers.filter((cover) => cover !== id) } };
}
