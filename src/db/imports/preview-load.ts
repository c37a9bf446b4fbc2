import type { PreparedWrite } from "../../catalog/editing/rights.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import type { LoadReply } from "../../import/records/decision.ts";
import type { Database } from "../statement.ts";
import { type Draft, withReferences } from "./draft.ts";
import { readLanguageIndex } from "./languages.ts";
import { type LoadJob, draftFor } from "./load.ts";

/** Preview of an import: its response, and the documents that it would save. */
interface LoadPreview {
  readonly reply: LoadReply;
  readonly edits: readonly CatalogRecord[];
}

// Q345: the documents are the ones an import would store.
/**
 * Reads and decides like an import, but saves nothing. New records have keys such as `/books/__new__<id>`, which are
 * never assigned; `newId` generates the ids. Throws ImportFailure. Two statements.
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

/** Maps the draft keys and the decision's placeholders of new records to the keys to show. */
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

/** Returns the documents in display order: authors, work, edition for a new book; edition, work for an existing one. */
function documentsOf({ writes, decision: { kind } }: Draft): CatalogRecord[] {
  const order = ["/type/author", "/type/work", "/type/edition"];
  const rank = ({ type }: { type: string }): number => order.indexOf(type) * (kind === "add-book" ? 1 : -1);
  return writes.toSorted((a, b) => rank(a) - rank(b)).map(documentOf);
}

function documentOf({ key, type, members }: PreparedWrite): CatalogRecord {
  return { type: { key: type }, ...members, key };
}
