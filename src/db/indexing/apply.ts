import type { AuthorDocument, ListDocument, WorkDocument } from "../../search/documents/types.ts";
import type { KnownEntries, Update, Versioned } from "../../search/engine.ts";
import { authorIdOfKey, workIdOfKey } from "../../search/indexing/ids.ts";
import {
  type SubjectNames,
  type SubjectRow,
  toAuthorRows,
  toListRows,
  toSubjectRows,
} from "../../search/indexing/plain-rows.ts";
import { type WorkRows, toWorkRows } from "../../search/indexing/work-rows.ts";
import type { Generation, IndexReader } from "../search/generation.ts";
import { packDocument } from "../search/stored-work.ts";
import { type Database, type Statement, batchGroups, batchRows } from "../statement.ts";
import { NO_SUMS, numberAuthors, refreshAuthors, sumAuthors } from "./author-sums.ts";
import {
  type CodeRow,
  type Codes,
  type FacetValues,
  codeInsertions,
  codeStatements,
  codesOf,
  entriesOf,
  packFacets,
  rememberCodes,
  rememberWords,
  sameCodesStatement,
  wordStatements,
} from "./entries.ts";
import { readListSubjects, readSubjectNames, subjectStatements } from "./subjects.ts";
import { type Deletions, authorStatements, deleteStatements, listStatements } from "./write-documents.ts";
import { workStatements } from "./write-works.ts";

export interface IndexOptions {
  /** Generations to write, at least one. Reads use the first. */
  readonly generations: readonly [Generation, ...Generation[]];
  readonly prefix: string;
  /** Returns the time of tombstones in milliseconds since the epoch. */
  now(): number;
  /**
   * True to recompute subject counts and author sums along with the works. Default true. A rebuild does so in separate
   * steps, which is faster.
   */
  readonly aggregates?: boolean;
  /** Entries known to be in the only generation. Newly written ones are added. */
  readonly known?: KnownEntries;
}

const BATCH_WORKS_MAX = 500;
/**
 * Maximum length of the texts and documents of the works per transaction, in characters. A single work may exceed it.
 */
const BATCH_LENGTH_MAX = 8_000_000;
const STARTED: Statement = { sql: "SELECT started FROM index_state", values: [] };
const BATCH_DOCUMENTS_MAX = 500;

/** Implements `SearchIndex.apply`. Each document is written completely or not at all. Throws database errors. */
export async function applyUpdate(database: Database, update: Update, options: IndexOptions): Promise<void> {
  const { generations, prefix, now, aggregates = true, known } = options;
  const deletions = deletionsOf(update, prefix);
  const batches = workBatches(update.works, prefix);
  // Generations and batches run in sequence, because each is a transaction on the same database.
  for (const generation of generations) {
    const target = { database, generation, prefix, aggregates };
    await writeWorks(target, {
      ids: deletions.works.map(({ id }) => id),
      documents: [],
      values: new Set(),
      statements: () => deleteStatements(deletions, generation, new Date(now()).toISOString()),
    });
    for (const batch of batches) await writeBatch(target, batch, known);
    await applyAuthors(target, update.authors);
    await applyLists(target, update.lists);
  }
}

interface Batch {
  readonly documents: readonly WorkDocument[];
  readonly works: readonly WorkRows[];
}

interface WorkWrite {
  ids: readonly number[];
  documents: readonly WorkDocument[];
  values: FacetValues;
  statements(codes: Codes, started: string | null): readonly Statement[];
}

type WorkTarget = IndexReader & { readonly aggregates: boolean };

/** Writes works in one transaction. Codes of a rebuild stay valid until another rebuild starts. */
async function writeBatch(
  target: WorkTarget,
  { documents, works }: Batch,
  known: KnownEntries | undefined,
): Promise<void> {
  const { generation } = target;
  const packed = await Promise.all(
    works.map(async (rows) => ({ rows, document: await packDocument(rows.document) })),
  );
  const { words, values } = entriesOf(works, known);
  const ids = works.map(({ id }) => id);
  await writeWorks(target, {
    ids,
    documents,
    values,
    statements: (codes, started) => {
      // The codes are stored at this point.
      if (known !== undefined) rememberCodes(known, codes);
      const codeOf = (name: string) => codes.get(name) ?? known?.codes.get(name);
      const ready = packed.map(({ rows, document }) => {
        return { rows, packed: document, facets: packFacets(rows.facets, codeOf) };
      });
      return [
        sameCodesStatement(known === undefined ? started : known.started),
        ...workStatements(ready, generation),
        ...wordStatements(words, generation),
      ];
    },
  });
  if (known !== undefined) rememberWords(known, words);
}

async function writeWorks(
  { aggregates, ...index }: WorkTarget,
  { ids, documents, values, statements }: WorkWrite,
): Promise<void> {
  const { database, generation, prefix } = index;
  const isSummed = aggregates && ids.length > 0;
  const { old, codeRows, state } = await batchGroups<{
    old: OldRow;
    assigned: never;
    codeRows: CodeRow;
    state: { started: string | null };
  }>(database, {
    old: isSummed ? oldWorksStatement(ids, generation) : [],
    assigned: codeInsertions(values, generation),
    codeRows: codeStatements(values, generation),
    state: values.size > 0 ? STARTED : [],
  });
  const writes = statements(codesOf(values, codeRows), state[0]?.started ?? null);
  if (!isSummed) {
    await batchRows(database, writes);
    return;
  }
  const references = { ids, works: documents, prefix };
  const { olids, subjects, lost } = findAffected(old.map(oldWorkOf), references);
  const names = await readSubjectNames(database, generation, subjects);
  await batchRows(database, [...writes, ...subjectStatements({ subjects, names, lost }, generation)]);
  const authors = [...olids].flatMap((olid) => authorIdOfKey(`/authors/${olid}`, prefix) ?? []);
  await refreshAuthors(index, authors);
}

async function applyAuthors(
  index: IndexReader,
  authors: readonly Versioned<AuthorDocument>[],
): Promise<void> {
  for (const page of pagesOf(numberAuthors(authors, index.prefix))) {
    const ids = page.map(({ id }) => id);
    const sums = await sumAuthors(index, ids);
    const rows = page.map(({ id, version, document }) =>
      toAuthorRows(document, { id, version, sums: sums.get(id) ?? NO_SUMS }),
    );
    await batchRows(index.database, authorStatements(rows, index.generation));
  }
}

async function applyLists(index: IndexReader, lists: readonly Versioned<ListDocument>[]): Promise<void> {
  for (const page of pagesOf(lists)) {
    const documents = page.map(({ document }) => document);
    const subjects = await readListSubjects(index, documents);
    const rows = page.map(({ document, version }, at) => toListRows(document, version, subjects[at] ?? {}));
    await batchRows(index.database, listStatements(rows, index.generation));
  }
}

function deletionsOf({ deletes }: Update, prefix: string): Deletions {
  const works = [];
  const authors = [];
  const lists = [];
  for (const { key, version } of deletes) {
    const work = workIdOfKey(key, prefix);
    const author = authorIdOfKey(key, prefix);
    if (work !== undefined) works.push({ key, version, id: work });
    else if (author !== undefined) authors.push({ key, version, id: author });
    else if (!key.startsWith("/books/")) lists.push({ key, version });
  }
  return { works, authors, lists };
}

/** Splits works into batches of bounded size. Rows are built once, and documents are packed per batch. */
function workBatches(works: readonly Versioned<WorkDocument>[], prefix: string): Batch[] {
  const batches: { documents: WorkDocument[]; works: WorkRows[]; length: number }[] = [];
  for (const { document, version } of works) {
    const id = workIdOfKey(document.key, prefix);
    if (id === undefined) continue;
    const rows = toWorkRows(document, { id, version, prefix });
    const texts = [...rows.texts, ...rows.editions.map((edition) => edition.document)];
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    let last = batches.at(-1);
    const isFull =
      (last?.works.length ?? 0) >= BATCH_WORKS_MAX || (last?.length ?? 0) + length > BATCH_LENGTH_MAX;
    if (last === undefined || isFull) batches.push((last = { documents: [], works: [], length: 0 }));
    last.documents.push(document);
    last.works.push(rows);
    last.length += length;
  }
  return batches;
}

function pagesOf<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / BATCH_DOCUMENTS_MAX);
  return Array.from({ length: count }, (_page, index) =>
    items.slice(index * BATCH_DOCUMENTS_MAX, (index + 1) * BATCH_DOCUMENTS_MAX),
  );
}

interface Affected {
  readonly olids: ReadonlySet<string>;
  /** All spellings, old and new, of subjects that a work gained, lost or spells differently. */
  readonly subjects: readonly SubjectRow[];
  /** Keys of subjects that a work lost, and that may have no works any more. */
  readonly lost: ReadonlySet<string>;
}

interface OldRow {
  readonly id: number;
  readonly authors: string | null;
  readonly subjects: string;
}

/** Returns a statement that reads an `OldRow` for each work in the index. */
function oldWorksStatement(ids: readonly number[], generation: Generation): Statement {
  return {
    sql: `SELECT d.id, d.document -> 'author_key' AS authors, json_object('subject', d.document -> 'subject',
            'person', d.document -> 'person', 'place', d.document -> 'place', 'time', d.document -> 'time') AS subjects
          FROM json_each(?1) j JOIN work_document_${generation} d ON d.id = j.value`,
    values: [JSON.stringify(ids)],
  };
}

type OldWork = SubjectNames & Pick<WorkDocument, "author_key"> & { readonly id: number };

function oldWorkOf({ id, authors, subjects }: OldRow): OldWork {
  // The columns hold members of a document written by `workStatements`.
  const names = JSON.parse(subjects) as SubjectNames;
  return { ...names, id, author_key: JSON.parse(authors ?? "[]") as string[] };
}

/**
 * Returns the documents that change with works about to be written or deleted: those they refer to now, and those
 * before. A work keeps most of its subjects, up to a hundred thousand, and these need no new count.
 */
export function findAffected(
  old: readonly OldWork[],
  { ids, works, prefix }: { ids: readonly number[]; works: readonly WorkDocument[]; prefix: string },
): Affected {
  const before = new Map(old.map((work) => [work.id, toSubjectRows(work)]));
  const after = new Map(works.map((work) => [workIdOfKey(work.key, prefix) ?? 0, toSubjectRows(work)]));
  const changed = new Set<string>();
  const lost = new Set<string>();
  for (const id of ids) {
    const [had, has] = [before.get(id) ?? [], after.get(id) ?? []];
    for (const { key } of subtractSubjects(had, has)) changed.add(key);
    for (const { key } of subtractSubjects(has, had)) changed.add(key);
    const remaining = new Set(has.map(({ key }) => key));
    for (const { key } of had) if (!remaining.has(key)) lost.add(key);
  }
  const spellings = [...before.values(), ...after.values()]
    .flat()
    .filter(({ key }) => changed.has(key))
    .map((subject) => [subject.nameToken, subject] as const);
  const olids = new Set([...works, ...old].flatMap((work) => work.author_key ?? []));
  return { olids, subjects: [...new Map(spellings).values()], lost };
}

function subtractSubjects(subjects: readonly SubjectRow[], others: readonly SubjectRow[]): SubjectRow[] {
  const otherTokens = new Set(others.map(({ nameToken }) => nameToken));
  return subjects.filter(({ nameToken }) => !otherTokens.has(nameToken));
}
