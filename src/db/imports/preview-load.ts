import type { PreparedWrite } from "../../catalog/editing/rights.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import type { LoadReply } from "../../import/load/decision.ts";
import type { Database } from "../statement.ts";
import { type Draft, withReferences } from "./draft.ts";
import { readLanguageIndex } from "./languages.ts";
import { type LoadJob, draftFor } from "./load.ts";

/** What an import would do: its answer, and the documents that it would save. */
interface LoadPreview {
  readonly reply: LoadReply;
  readonly edits: readonly CatalogRecord[];
}

// Q345: the documents are those that would be stored.
/**
 * Reads and decides as an import does, and saves nothing. New records have keys such as `/books/__new__<id>` that
 * nobody gives out; `newId` makes the ids. Throws ImportFailure. Two statements.
 */
export async function previewLoad(
  database: Database,
  job: LoadJob,
  newId: () => string,
): Promise<LoadPreview> {
  const { draft } = await draftFor(database, { languages: readLanguageIndex }, job);
  const names = previewNames(draft, newId);
  const reply = withReferences(draft.decision.reply, names);
  return { reply, edits: documentsOf(draft).map((document) => withReferences(document, names)) };
}

/** Keys to be shown of new records, by their draft keys and by what the decision calls them. */
function previewNames({ keys }: Draft, newId: () => string): ReadonlyMap<string, string> {
  return new Map(
    keys.flatMap((key, index) => {
      const shown = `${key.slice(0, key.lastIndexOf("/"))}/__new__${newId()}`;
      return [
        [key, shown],
        [`/__new__/${index}`, shown],
      ] as const;
    }),
  );
}

/** New records: authors, work, edition. Of a book that is there already: edition, work. */
function documentsOf({ writes, decision: { kind } }: Draft): CatalogRecord[] {
  const order = ["/type/author", "/type/work", "/type/edition"];
  const rank = ({ type }: { type: string }): number => order.indexOf(type) * (kind === "add-book" ? 1 : -1);
  return writes.toSorted((a, b) => rank(a) - rank(b)).map(documentOf);
}

function documentOf({ key, type, members }: PreparedWrite): CatalogRecord {
  return { type: { key: type }, ...members, key };
}
