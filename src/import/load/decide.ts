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

/** A record of a book that the catalog has: edition and work get what they lack. */
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

/**
 * Decides what becomes of a prepared record, given all that the catalog has about it. A pure
 * function: the same record and the same catalog give the same decision. Throws ImportFailure.
 */
export function decide(record: ImportRecord, found: Found, options: DecideOptions): Decision {
  requireMembers(record);
  const enrichment = { record, found, cover: coverAddress(record["cover"], options.coverHosts) };
  const edition = matchedEdition(record, found);
  if (edition === undefined) return created(enrichment);
  // An edition that nobody has touched since it was announced: more is known of it from any catalog.
  const [source = ""] = stringsOf(edition.document["source_records"]);
  const isPromise = edition.revision === 1 && source.startsWith("promise");
  return options.fromMarc && isPromise ? created(enrichment, edition) : enriched(edition, enrichment);
}
