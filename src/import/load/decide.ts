import type { StoredForWrite } from "../../catalog/editing/rights.ts";
import { type CatalogRecord, stringsOf } from "../../catalog/record.ts";
import type { ImportRecord } from "../record.ts";
import { created } from "./create.ts";
import { type DecideOptions, type Decision, DecisionDraft, coverAddress } from "./decision.ts";
import { type Enrichment, enrichedMembers } from "./edition.ts";
import { type Found, authorsOf, workOf } from "./found.ts";
import { matchedEdition } from "./match.ts";
import { requireMembers } from "./prepared-record.ts";
import { searchedAuthors } from "./searched-author.ts";
import { type WorkAuthor, enrichedWorkMembers, newWork } from "./work.ts";

/** Decides on a book that the catalog has: completes its edition and work. */
function enriched(stored: StoredForWrite, enrichment: Enrichment): Decision {
  const { record, found, cover } = enrichment;
  const draft = new DecisionDraft();
  const members = enrichedMembers(stored.document, enrichment);
  const after = { ...stored.document, ...members };
  const work = workOf(found, stored.document);
  const loaded =
    work === undefined
      ? draft.create(workOfOrphan(after, enrichment))
      : draft.edit(work, enrichedWorkMembers(work.document, { record, edition: after, found }));
  const works = work === undefined ? { works: [{ key: loaded.key }] } : {};
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

/**
 * Creates the work of an edition without one, with the edition's authors. Their roles are used only if the record names
 * as many authors.
 */
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

/**
 * Decides what to do with a prepared record, given everything that the catalog has about it. Pure function: the same
 * record and catalog give the same decision. Throws ImportFailure.
 */
export function decide(record: ImportRecord, found: Found, options: DecideOptions): Decision {
  requireMembers(record);
  const enrichment = { record, found, cover: coverAddress(record["cover"], options.coverHosts) };
  const edition = matchedEdition(record, found);
  if (edition === undefined) return created(enrichment);
  // A promised edition that has not been edited since: any library record knows more about it.
  const [source = ""] = stringsOf(edition.document["source_records"]);
  const isPromise = edition.revision === 1 && source.startsWith("promise");
  return options.fromMarc && isPromise ? created(enrichment, edition) : enriched(edition, enrichment);
}
