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
 * Decides on a book that the catalog does not have: creates the edition, and its work and authors if they are new too.
 * `promise` is a promised edition that the record overwrites.
 */
function decideCreate(enrichment: Enrichment, promise?: StoredForWrite): Decision {
  const { record, snapshot, cover } = enrichment;
  const draft = new DecisionDraft();
  const members = toEditionMembers(enrichment);
  const authors = promiseAuthorsOf(promise, enrichment) ?? resolveAuthors(record, snapshot);
  const decidedAuthors = authors.map((author) => decideAuthor(author, draft));
  const full: CatalogRecord = {
    type: { key: "/type/edition" },
    ...members,
    ...(decidedAuthors.length === 0 ? {} : { authors: decidedAuthors.map(({ key }) => ({ key })) }),
    ...(cover === undefined ? {} : { covers: [COVER_TO_COME] }),
  };
  const before = promise?.document ?? {};
  // Q330: the work that the edition already has, or the work that the record names.
  const workSource = workOf(snapshot, before) === undefined ? members : before;
  const storedWork = workOf(snapshot, workSource);
  const work = decideWork(
    decidedAuthors,
    { ...enrichment, covers: full["covers"] ?? before["covers"], storedWork },
    draft,
  );
  const works = isBlankMember(workSource["works"]) ? [{ key: work.key }] : workSource["works"];
  const edition = { ...full, works };
  const editionOutcome =
    promise === undefined ? draft.create(edition) : overwritePromise(promise, edition, draft);
  const authorOutcomes = decidedAuthors.map(({ key, name, status }) => ({ key, name, status }));
  return {
    created: draft.created,
    edits: draft.edits,
    kind: promise === undefined ? "add-book" : "edit-book",
    comment: promise === undefined ? "import new book" : "overwrite existing edition",
    ...(cover === undefined ? {} : { cover }),
    reply: {
      success: true,
      ...(authorOutcomes.length === 0 ? {} : { authors: authorOutcomes }),
      edition: editionOutcome,
      work: { key: work.key, status: work.status },
    },
  };
}

function decideAuthor(author: ResolvedAuthor, draft: DecisionDraft): DecidedAuthor {
  const { role } = author;
  if ("stored" in author) {
    const { key, document } = author.stored;
    return { key, status: "matched", name: textOf(document["name"]) ?? "", role };
  }
  return { ...draft.create(author.created), name: textOf(author.created["name"]) ?? "", role };
}

/** Returns the existing authors of the promised edition, which are kept. Returns undefined if it has none. */
function promiseAuthorsOf(
  promise: StoredForWrite | undefined,
  { snapshot }: Enrichment,
): ResolvedAuthor[] | undefined {
  const stored = snapshotAuthorsOf(snapshot, promise?.document["authors"]);
  return stored.length === 0 ? undefined : stored.map((author) => ({ stored: author, role: undefined }));
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

/** Adds the record's subjects to a work's, except those similar to an existing one. */
function appendSubjects(stored: Json | undefined, values: Json | undefined): Json[] | undefined {
  const known = new Set(stringsOf(stored).map(editionTitleKeyOf));
  return appendMissing(
    stored,
    stringsOf(values).filter((value) => !known.has(editionTitleKeyOf(value))),
  );
}

/**
 * Creates or updates the work. `storedWork` is the work that the edition is in, regardless of its title; `covers` are
 * the edition's.
 */
function decideWork(
  authors: readonly DecidedAuthor[],
  {
    record,
    snapshot,
    cover,
    covers,
    storedWork: existing,
  }: Enrichment & { readonly covers: Json | undefined; readonly storedWork: StoredForWrite | undefined },
  draft: DecisionDraft,
): RecordOutcome {
  const matchedAuthors = authors.filter(({ status }) => status === "matched").map(({ key }) => key);
  const work = existing ?? findWork(record, matchedAuthors, snapshot);
  if (work === undefined) return draft.create(buildImportedWork(record, { authors, covers }));
  const changes = SUBJECTS.map((name): [string, Json | undefined] => [
    name,
    appendSubjects(work.document[name], record[name]),
  ]);
  const stored = Array.isArray(work.document["covers"]) ? work.document["covers"] : [];
  const withCover = cover === undefined ? undefined : [...stored, COVER_TO_COME];
  return draft.edit(
    work,
    Object.fromEntries([...changes, ["covers", withCover]].filter(([, value]) => value !== undefined)),
  );
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
  const decision = decideEdition({ record, snapshot, cover, warnings }, options);
  return withWarnings(decision, warnings);
}

function decideEdition(enrichment: Enrichment, { fromMarc }: DecideOptions): Decision {
  const { record, snapshot } = enrichment;
  const matched = matchEdition(record, snapshot);
  if (matched === undefined) return decideCreate(enrichment);
  // A promised edition that has not been edited since: any library record knows more about it.
  const [source = ""] = stringsOf(matched.document["source_records"]);
  const isPromise = matched.revision === 1 && source.startsWith("promise");
  return fromMarc && isPromise ? decideCreate(enrichment, matched) : decideEnrich(matched, enrichment);
}
