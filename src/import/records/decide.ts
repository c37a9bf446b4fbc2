import { editionTitleKeyOf } from "../../catalog/matching/match-keys.ts";
import { type CatalogRecord, type Json, stringsOf, textOf } from "../../catalog/record.ts";
import type { StoredForWrite } from "../../catalog/editing/rights.ts";
import { isBlankMember } from "../../catalog/editing/members.ts";
import { type ResolvedAuthor, resolveAuthors } from "./resolve-authors.ts";
import {
  type Enrichment,
  type WorkAuthor,
  SUBJECTS,
  toEditionMembers,
  enrichEdition,
  enrichWork,
  findWork,
  buildImportedWork,
} from "./documents.ts";
import { appendMissing } from "./members.ts";
import {
  type DecideOptions,
  type Decision,
  type RecordOutcome,
  COVER_TO_COME,
  DecisionDraft,
  toAllowedCoverUrl,
  withWarnings,
} from "./decision.ts";
import { addWarning } from "../warning.ts";
import { type Snapshot, snapshotAuthorsOf, workOf } from "./snapshot.ts";
import type { ImportRecord } from "../record.ts";
import { matchEdition } from "./match.ts";
import { requireMembers } from "./prepare.ts";
import { parseAuthors } from "./author-lookups.ts";

interface DecidedAuthor extends RecordOutcome {
  readonly name: string;
  readonly role: string | undefined;
}

/**
 * Decides what to do with a prepared record, given everything that the catalog has about it. Pure function: the same
 * record and catalog give the same decision. Throws ImportFailure.
 */
export function decide(record: ImportRecord, snapshot: Snapshot, options: DecideOptions): Decision {
  requireMembers(record);
  const warnings = [...(options.warnings ?? [])];
  const cover = toAllowedCoverUrl(record["cover"], options.coverHosts);
  if (cover === undefined && record["cover"] !== undefined) {
    addWarning(warnings, "invalid-value", ["cover", record["cover"]]);
  }
  const enrichment = { record, snapshot, cover, warnings };
  const matched = matchEdition(record, snapshot);
  // A promised edition that has not been edited since: any library record knows more about it.
  const [source = ""] = stringsOf(matched?.document["source_records"]);
  const isPromise = matched?.revision === 1 && source.startsWith("promise");
  const decision =
    matched === undefined || (options.fromMarc && isPromise)
      ? decideCreate(enrichment, matched)
      : decideEnrich(matched, enrichment);
  return withWarnings(decision, warnings);
}

/**
 * Decides on a book that the catalog does not have: creates the edition, and its work and authors if they are new too.
 * `promise` is a promised edition that the record overwrites.
 */
function decideCreate(enrichment: Enrichment, promise: StoredForWrite | undefined): Decision {
  const { record, snapshot, cover } = enrichment;
  const draft = new DecisionDraft();
  const members = toEditionMembers(enrichment);
  // The authors of a promised edition are kept.
  const promised = snapshotAuthorsOf(snapshot, promise?.document["authors"]);
  const resolved: readonly ResolvedAuthor[] =
    promised.length > 0
      ? promised.map((stored) => ({ stored, role: undefined }))
      : resolveAuthors(record, snapshot);
  const authors = resolved.map((author): DecidedAuthor => {
    const { role } = author;
    if ("stored" in author) {
      const { key, document } = author.stored;
      return { key, status: "matched", name: textOf(document["name"]) ?? "", role };
    }
    const { key, status } = draft.create(author.created);
    return { key, status, name: textOf(author.created["name"]) ?? "", role };
  });
  const full: CatalogRecord = {
    type: { key: "/type/edition" },
    ...members,
    ...(authors.length > 0 && { authors: authors.map(({ key }) => ({ key })) }),
    ...(cover !== undefined && { covers: [COVER_TO_COME] }),
  };
  const before = promise?.document ?? {};
  // Q330: the work that the edition already has, or the work that the record names.
  const workSource = workOf(snapshot, before) === undefined ? members : before;
  const covers = full["covers"] ?? before["covers"];
  const work = decideWork(authors, covers, { ...enrichment, stored: workOf(snapshot, workSource) }, draft);
  const works = isBlankMember(workSource["works"]) ? [{ key: work.key }] : workSource["works"];
  const edition = { ...full, works };
  const outcome = promise === undefined ? draft.create(edition) : overwritePromise(promise, edition, draft);
  return {
    created: draft.created,
    edits: draft.edits,
    kind: promise === undefined ? "add-book" : "edit-book",
    comment: promise === undefined ? "import new book" : "overwrite existing edition",
    ...(cover !== undefined && { cover }),
    reply: {
      success: true,
      ...(authors.length > 0 && { authors: authors.map(({ key, name, status }) => ({ key, name, status })) }),
      edition: outcome,
      work: { key: work.key, status: work.status },
    },
  };
}

function overwritePromise(promise: StoredForWrite, full: CatalogRecord, draft: DecisionDraft): RecordOutcome {
  const { source_records: stored } = promise.document;
  // The source of the promise, and the source of the record.
  const sources = appendMissing(stored, full["source_records"]) ?? stored;
  const changes = Object.entries({ ...full, source_records: sources }).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(promise.document[name]),
  );
  return draft.edit(promise, Object.fromEntries(changes));
}

/**
 * Creates or updates the work. `stored` is the work that the edition is in, regardless of its title; `covers` are the
 * edition's.
 */
function decideWork(
  authors: readonly DecidedAuthor[],
  covers: Json | undefined,
  { record, snapshot, cover, stored }: Enrichment & { readonly stored: StoredForWrite | undefined },
  draft: DecisionDraft,
): RecordOutcome {
  const matchedAuthors = authors.filter(({ status }) => status === "matched").map(({ key }) => key);
  const work = stored ?? findWork(record, matchedAuthors, snapshot);
  if (work === undefined) return draft.create(buildImportedWork(record, { authors, covers }));
  const { document } = work;
  // Subjects similar to an existing one are not added.
  const changes = SUBJECTS.map((name): [string, Json | undefined] => {
    const known = new Set(stringsOf(document[name]).map(editionTitleKeyOf));
    const added = stringsOf(record[name]).filter((value) => !known.has(editionTitleKeyOf(value)));
    return [name, appendMissing(document[name], added)];
  });
  const before = Array.isArray(document["covers"]) ? document["covers"] : [];
  if (cover !== undefined) changes.push(["covers", [...before, COVER_TO_COME]]);
  return draft.edit(work, Object.fromEntries(changes.filter(([, value]) => value !== undefined)));
}

function decideEnrich(stored: StoredForWrite, enrichment: Enrichment): Decision {
  const { record, snapshot, cover } = enrichment;
  const draft = new DecisionDraft();
  const work = workOf(snapshot, stored.document);
  const members = enrichEdition(stored.document, enrichment, work?.document);
  const after = { ...stored.document, ...members };
  const workOutcome =
    work === undefined
      ? draft.create(buildOrphanWork(after, enrichment))
      : draft.edit(work, enrichWork(work.document, { record, edition: after, snapshot }));
  const works = work === undefined ? { works: [{ key: workOutcome.key }] } : {};
  const editionOutcome = draft.edit(stored, { ...members, ...works });
  const hasNewCover = Object.hasOwn(members, "covers");
  return {
    created: draft.created,
    edits: draft.edits.toReversed(),
    kind: "edit-book",
    comment: "import existing book",
    ...(cover !== undefined && hasNewCover ? { cover } : {}),
    reply: { success: true, edition: editionOutcome, work: workOutcome },
  };
}

/**
 * Creates the work of an edition without one, with the edition's authors. Their roles are used only if the record names
 * as many authors.
 */
function buildOrphanWork(edition: CatalogRecord, { record, snapshot }: Enrichment): CatalogRecord {
  const stored = snapshotAuthorsOf(snapshot, edition["authors"]);
  const parsed = parseAuthors(record);
  const areRolesComplete = parsed.length === stored.length;
  const authors = stored.map(({ key }, index): WorkAuthor => ({
    key,
    role: areRolesComplete ? parsed[index]?.role : undefined,
  }));
  const work = buildImportedWork(record, { authors, covers: undefined });
  return { ...work, ...enrichWork(work, { record, edition, snapshot }) };
}
