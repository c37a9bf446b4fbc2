import type { CatalogRecord } from "../../catalog/record.ts";
import type { StoredForWrite } from "../../catalog/write/prepare.ts";
import { searchedAuthors } from "../authors/searched-author.ts";
import { type WorkAuthor, newWork } from "../works/new-work.ts";
import type { Decision, Loaded } from "./decision.ts";
import { Draft } from "./draft.ts";
import { type Enrichment, enrichedMembers } from "./enrich-edition.ts";
import { enrichedWorkMembers } from "./enrich-work.ts";
import { authorsOf, workOf } from "./found-records.ts";

/** A record of a book that the catalog has: edition and work get what they lack (import.md 15.6). */
export function enriched(stored: StoredForWrite, enrichment: Enrichment): Decision {
  const { record, found, cover } = enrichment;
  const draft = new Draft();
  const members = enrichedMembers(stored.document, enrichment);
  const after = { ...stored.document, ...members };
  const work = workOf(found, stored.document);
  let loaded: Loaded;
  let works: CatalogRecord = {};
  if (work === undefined) {
    loaded = draft.create(workOfOrphan(after, enrichment));
    works = { works: [{ key: loaded.key }] };
  } else {
    loaded = draft.edit(work, enrichedWorkMembers(work.document, { record, edition: after, found }));
  }
  const edition = draft.edit(stored, { ...members, ...works });
  const hasNewCover = Object.hasOwn(members, "covers");
  return {
    created: draft.created,
    edits: draft.edits.toReversed(),
    kind: "edit-book",
    comment: "import existing book",
    ...(cover !== undefined && hasNewCover ? { cover } : {}),
    reply: { success: true, edition, work: loaded },
  };
}

/** The work of an edition that has none: with the edition's authors, and their roles where all of them are told. */
function workOfOrphan(edition: CatalogRecord, { record, found }: Enrichment): CatalogRecord {
  const stored = authorsOf(found, edition["authors"]);
  const searched = searchedAuthors(record);
  const areAllTold = searched.length === stored.length;
  const authors = stored.map(({ key }, index): WorkAuthor => ({
    key,
    role: areAllTold ? searched[index]?.role : undefined,
  }));
  const work = newWork(record, { authors, covers: undefined });
  return { ...work, ...enrichedWorkMembers(work, { record, edition, found }) };
}
