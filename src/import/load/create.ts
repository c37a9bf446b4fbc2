import { editionTitleKey } from "../../catalog/matching/match-keys.ts";
import { type CatalogRecord, type Json, stringsOf, textOf } from "../../catalog/record.ts";
import type { StoredForWrite } from "../../catalog/editing/rights.ts";
import { isBlank } from "../../catalog/editing/members.ts";
import { type ResolvedAuthor, resolvedAuthors } from "./authors.ts";
import { SUBJECTS, findWork, newWork } from "./work.ts";
import { appended } from "./members.ts";
import { type Decision, type Loaded, COVER_TO_COME, DecisionDraft } from "./decision.ts";
import { type Enrichment, editionMembers } from "./edition.ts";
import { authorsOf, workOf } from "./found.ts";

/** Author of the edition, with its key or placeholder key. */
interface LoadedAuthor extends Loaded {
  readonly name: string;
  readonly role: string | undefined;
}

/**
 * Decides on a book that the catalog does not have: creates the edition, and its work and authors if they are new too.
 * `promise` is a promised edition that the record overwrites.
 */
export function created(enrichment: Enrichment, promise?: StoredForWrite): Decision {
  const { record, found, cover } = enrichment;
  const draft = new DecisionDraft();
  const members = editionMembers(record, found.languages);
  const authors = promisedAuthors(promise, enrichment) ?? resolvedAuthors(record, found);
  const loadedAuthors = authors.map((author) => loadedAuthor(author, draft));
  const full: CatalogRecord = {
    type: { key: "/type/edition" },
    ...members,
    ...(loadedAuthors.length === 0 ? {} : { authors: loadedAuthors.map(({ key }) => ({ key })) }),
    ...(cover === undefined ? {} : { covers: [COVER_TO_COME] }),
  };
  const before = promise?.document ?? {};
  // Q330: the work that the edition already has, or the work that the record names.
  const placed = workOf(found, before) === undefined ? members : before;
  const own = workOf(found, placed);
  const work = loadedWork(
    loadedAuthors,
    { ...enrichment, covers: full["covers"] ?? before["covers"], own },
    draft,
  );
  const works = isBlank(placed["works"]) ? [{ key: work.key }] : placed["works"];
  const whole = { ...full, works };
  const edition = promise === undefined ? draft.create(whole) : overwritten(promise, whole, draft);
  const replied = loadedAuthors.map(({ key, name, status }) => ({ key, name, status }));
  return {
    created: draft.created,
    edits: draft.edits,
    kind: promise === undefined ? "add-book" : "edit-book",
    comment: promise === undefined ? "import new book" : "overwrite existing edition",
    ...(cover === undefined ? {} : { cover }),
    reply: {
      success: true,
      ...(replied.length === 0 ? {} : { authors: replied }),
      edition,
      work: { key: work.key, status: work.status },
    },
  };
}

function loadedAuthor(author: ResolvedAuthor, draft: DecisionDraft): LoadedAuthor {
  const { role } = author;
  if ("stored" in author) {
    const { key, document } = author.stored;
    return { key, status: "matched", name: textOf(document["name"]) ?? "", role };
  }
  return { ...draft.create(author.created), name: textOf(author.created["name"]) ?? "", role };
}

/** Returns the existing authors of the promised edition, which are kept. Returns undefined if it has none. */
function promisedAuthors(
  promise: StoredForWrite | undefined,
  { found }: Enrichment,
): ResolvedAuthor[] | undefined {
  const stored = authorsOf(found, promise?.document["authors"]);
  return stored.length === 0 ? undefined : stored.map((author) => ({ stored: author, role: undefined }));
}

function overwritten(promise: StoredForWrite, full: CatalogRecord, draft: DecisionDraft): Loaded {
  const { source_records: stored } = promise.document;
  // The source of the promise, and the source of the record.
  const sources = appended(stored, full["source_records"]) ?? stored;
  const changes = Object.entries({ ...full, source_records: sources }).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(promise.document[name]),
  );
  return draft.edit(promise, Object.fromEntries(changes));
}

/** Adds the record's subjects to a work's, except those similar to an existing one. */
function withSubjects(stored: Json | undefined, values: Json | undefined): Json[] | undefined {
  const known = new Set(stringsOf(stored).map(editionTitleKey));
  return appended(
    stored,
    stringsOf(values).filter((value) => !known.has(editionTitleKey(value))),
  );
}

/**
 * Creates or updates the work. `own` is the work that the edition is in, regardless of its title; `covers` are the
 * edition's.
 */
function loadedWork(
  authors: readonly LoadedAuthor[],
  {
    record,
    found,
    cover,
    covers,
    own,
  }: Enrichment & { readonly covers: Json | undefined; readonly own: StoredForWrite | undefined },
  draft: DecisionDraft,
): Loaded {
  const known = authors.filter(({ status }) => status === "matched").map(({ key }) => key);
  const work = own ?? findWork(record, known, found);
  if (work === undefined) return draft.create(newWork(record, { authors, covers }));
  const changes = SUBJECTS.map((name): [string, Json | undefined] => [
    name,
    withSubjects(work.document[name], record[name]),
  ]);
  const stored = Array.isArray(work.document["covers"]) ? work.document["covers"] : [];
  const withCover = cover === undefined ? undefined : [...stored, COVER_TO_COME];
  return draft.edit(
    work,
    Object.fromEntries([...changes, ["covers", withCover]].filter(([, value]) => value !== undefined)),
  );
}
