import type { ListDocument } from "../../search/documents/types.ts";
import type { KnownEntries, Update, Versioned, Generation } from "../../search/engine.ts";
import { authorIdOfKey, workIdOfKey } from "../../search/indexing/ids.ts";
import { toListRows, toSubjectRows } from "../../search/indexing/plain-rows.ts";
import type { IndexReader } from "../search/index-reader.ts";
import { type Database, batchGroups, batchRows } from "../statement.ts";
import {
  type AuthorRow,
  type NumberedAuthor,
  type SumsRow,
  SUMMED_AUTHORS_MAX,
  authorRowsStatement,
  numberAuthors,
  planAuthors,
  sumsStatement,
} from "./author-sums.ts";
import {
  type CodeRow,
  type FacetValues,
  codeInsertions,
  codeStatements,
  codesOf,
  entriesOf,
  packFacets,
  rememberCodes,
  rememberWords,
  wordStatements,
} from "./entries.ts";
import {
  type PlanState,
  PLAN_STATE,
  replanned,
  samePlanStatement,
  sameRebuildStatement,
} from "./plan-state.ts";
import {
  type SubjectNameRow,
  namesByKey,
  readListSubjects,
  subjectNameStatements,
  subjectStatements,
} from "./subjects.ts";
import { type PartWork, slicesOf, workBatches } from "./work-batches.ts";
import {
  type CountedWork,
  type IndexedRow,
  type TombstoneRow,
  countPackedWork,
  findChangedSubjects,
  findWorkChanges,
  indexedRowsStatement,
  changedMembers,
  sharesOf,
  tombstonesStatement,
} from "./work-changes.ts";
import { type Deletions, authorStatements, deleteStatements, listStatements } from "./write-documents.ts";
import { packWork, workStatements } from "./write-works.ts";

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

const BATCH_LISTS_MAX = 500;

/** Implements `SearchIndex.apply`. Each document is written completely or not at all. Throws database errors. */
export async function applyUpdate(database: Database, update: Update, options: IndexOptions): Promise<void> {
  const { generations, aggregates = true, ...others } = options;
  const parts = partsOf(update, options.prefix);
  // Generations and parts run in sequence, because each is a transaction on the same database.
  for (const generation of generations) {
    const target = { database, generation, aggregates, ...others };
    for (const part of parts) await writePart(target, part);
    await applyLists(target, update.lists);
  }
}

/** Documents that are written in one transaction: deletions first, then works, then authors. */
interface Part {
  readonly deletions: Deletions;
  readonly works: readonly PartWork[];
  readonly authors: readonly NumberedAuthor[];
}

const NO_DELETIONS: Deletions = { works: [], authors: [], lists: [] };
const NO_PART: Part = { deletions: NO_DELETIONS, works: [], authors: [] };

interface Target extends IndexReader, Omit<IndexOptions, "generations" | "aggregates"> {
  readonly aggregates: boolean;
}

/** Splits an update into parts of bounded size. Authors come with the last works, because they sum them up. */
function partsOf({ works, authors, deletes }: Update, prefix: string): Part[] {
  const batches = workBatches(works, prefix);
  const [firstAuthors = [], ...pages] = slicesOf(numberAuthors(authors, prefix), SUMMED_AUTHORS_MAX);
  const last = batches.pop() ?? [];
  const [first = NO_PART, ...others]: Part[] = [
    ...batches.map((batch) => ({ deletions: NO_DELETIONS, works: batch, authors: [] })),
    { deletions: NO_DELETIONS, works: last, authors: firstAuthors },
    ...pages.map((page) => ({ deletions: NO_DELETIONS, works: [], authors: page })),
  ];
  if (deletes.length + first.works.length + first.authors.length === 0) return [];
  return [{ ...first, deletions: deletionsOf(deletes, prefix) }, ...others];
}

async function writePart(target: Target, part: Part): Promise<void> {
  const plan = () => planAndWrite(target, part);
  const unsummed = await (target.aggregates ? replanned(plan) : plan());
  for (const authors of slicesOf(unsummed, SUMMED_AUTHORS_MAX)) {
    await writePart(target, { ...NO_PART, authors });
  }
}

/**
 * Reads the state that a part changes, and writes the part in one transaction that fails if the state has changed
 * meanwhile. Codes of a rebuild stay valid until another rebuild starts. Returns the authors that are left, because
 * their sums have to be computed from all works.
 */
async function planAndWrite(target: Target, part: Part): Promise<readonly NumberedAuthor[]> {
  const { database, generation, prefix, known, aggregates } = target;
  const { words, values } = entriesOf(
    part.works.map(({ rows }) => rows),
    known,
  );
  const packed = await Promise.all(part.works.map(({ rows }) => packWork(rows)));
  const counted = aggregates
    ? packed.map((work, at) => countPackedWork(work, part.works[at]?.document, prefix))
    : [];
  const read = await readPlan(target, { part, counted, values });
  const changes = findWorkChanges(part, { ...read, counted, prefix });
  const authors = planAuthors(part.authors, { ...read, changes: sharesOf(changes) });
  const codes = codesOf(values, read.codeRows);
  // The codes are stored at this point.
  if (known !== undefined) rememberCodes(known, codes);
  const codeOf = (name: string) => codes.get(name) ?? known?.codes.get(name);
  await batchRows(database, [
    ...(aggregates ? [samePlanStatement(read.state[0])] : []),
    ...(!aggregates && part.works.length > 0
      ? [sameRebuildStatement((known ?? read.state[0])?.started ?? null)]
      : []),
    ...deleteStatements(part.deletions, generation, new Date(target.now()).toISOString()),
    ...workStatements(
      packed.map((work) => ({
        rows: work.rows,
        packed: work.packed,
        facets: packFacets(work.rows.facets, codeOf),
        indexed: read.indexed.find(({ id }) => id === work.rows.id),
      })),
      generation,
    ),
    ...wordStatements(words, generation),
    ...subjectStatements({ ...findChangedSubjects(changedMembers(changes)), names: read.names }, generation),
    ...authorStatements(authors, generation),
  ]);
  if (known !== undefined) rememberWords(known, words);
  return authors.unsummed;
}

/** Reads the documents that a part changes: indexed works, their authors and subjects; assigns codes to new values. One round trip. */
async function readPlan(
  target: Target,
  { part, counted, values }: { part: Part; counted: readonly CountedWork[]; values: FacetValues },
) {
  const { database, generation, aggregates } = target;
  const works = part.works.map(({ rows }) => rows);
  const ids = aggregates ? [...part.deletions.works, ...works].map(({ id }) => id) : [];
  const summed = part.authors.map(({ id }) => id);
  const authors = [...summed, ...counted.flatMap(({ share }) => [...share.authors])];
  const subjects = counted.flatMap(({ members }) => toSubjectRows(members));
  const keys = new Set(subjects.map(({ key }) => key));
  const { nameRows, ...read } = await batchGroups<{
    state: PlanState;
    indexed: IndexedRow;
    tombstones: TombstoneRow;
    authorRows: AuthorRow;
    sums: SumsRow;
    nameRows: SubjectNameRow;
    assigned: never;
    codeRows: CodeRow;
  }>(database, {
    state: aggregates || values.size > 0 ? PLAN_STATE : [],
    indexed: ids.length > 0 ? indexedRowsStatement(ids, generation) : [],
    tombstones: counted.length > 0 ? tombstonesStatement(works, generation) : [],
    authorRows: aggregates ? authorRowsStatement({ ids: authors, works: ids }, target) : [],
    sums: sumsStatement(summed, target),
    nameRows: subjectNameStatements(keys, generation),
    assigned: codeInsertions(values, generation),
    codeRows: codeStatements(values, generation),
  });
  return { ...read, names: namesByKey(keys, nameRows) };
}

async function applyLists(index: IndexReader, lists: readonly Versioned<ListDocument>[]): Promise<void> {
  for (const page of slicesOf(lists, BATCH_LISTS_MAX)) {
    const documents = page.map(({ document }) => document);
    const subjects = await readListSubjects(index, documents);
    const rows = page.map(({ document, version }, at) => toListRows(document, version, subjects[at] ?? {}));
    await batchRows(index.database, listStatements(rows, index.generation));
  }
}

function deletionsOf(deletes: Update["deletes"], prefix: string): Deletions {
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
