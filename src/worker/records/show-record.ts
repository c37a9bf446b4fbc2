import { latestRecordOf } from "../../catalog/document.ts";
import { keyMatchesType, lastSegmentOf, workNumberOfKey } from "../../catalog/keys.ts";
import { ocaidOf, workKeyOf } from "../../catalog/lookup/bundle.ts";
import {
  type CatalogRecord,
  keyOf,
  keysOf,
  keysWithin,
  resolveRecord,
  textOf,
  typeKeyOf,
} from "../../catalog/record.ts";
import { readWorkCounts } from "../../db/patrons/counts.ts";
import { viewOf } from "../../db/records/records.ts";
import { countEditions } from "../../db/records/members.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { readRelated } from "../../db/records/related.ts";
import type { SearchEngine } from "../../search/engine.ts";
import type { LendingStates } from "../../search/present/availability.ts";
import { type WorkCounts, NO_COUNTS } from "../../search/documents/types.ts";
import { readOwnCounts } from "./work-counts.ts";
import { type RequestContext, lookupConfig, catalogReader } from "../http/operation.ts";
import { lendingStates } from "../lending/service/lending-states.ts";
import type { Reply } from "../http/reply.ts";
import { readOpenable } from "../lending/service/openable.ts";
import { readerUrl } from "../lending/reader.ts";
import { isAnonymous } from "../search/engine.ts";
import { addressOf, markup } from "../ui/markup.ts";
import { languageName, nameOf } from "../ui/names.ts";
import type { Part } from "../ui/pager.ts";
import { link } from "../ui/parts.ts";
import { richStart } from "../ui/rich-text.ts";
import { authorBody } from "./author-pages.ts";
import { type RecordContent, type RecordView, pageReader, recordPage, otherBody } from "./record-page.ts";
import { readAuthorYears } from "./author-years.ts";
import { readPatronLoans, showsLoans } from "./reading-links.ts";
import { authorMetadata, bookData } from "./record-head.ts";
import { editionBody, workBody } from "./book-pages.ts";
import { ROW_VALUES_MAX } from "./book-parts.ts";
import { readSubjectCounts } from "./subject-lists.ts";
import { t } from "../ui/words.ts";

/** Page of the members of a record: editions of a work, works of an author. `engine` counts the works of subjects. */
interface MembersPage {
  readonly engine: Promise<SearchEngine> | undefined;
  readonly members: readonly RecordRow[];
  readonly part: Part;
}

/** Shows a revision of a record at the path of the request. */
export async function showRecord(row: RecordRow, page: MembersPage, context: RequestContext): Promise<Reply> {
  const { pathname: address, search } = context.url;
  const record = viewOf(row);
  const revision = { row, record, address, here: address + search };
  // A record whose key does not fit its type is shown as it is stored.
  switch (keyMatchesType(row.key, row.type, context.settings.RECORD_PREFIX) ? row.type : undefined) {
    case "/type/work":
      return showWork(revision, page, context);
    case "/type/edition":
      return showEdition(revision, page, context);
    case "/type/author":
      return showAuthor(revision, page, context);
    default: {
      const view: RecordView = { ...revision, reader: await pageReader(context, undefined) };
      const title = row.type === "/type/language" ? languageName(record) : nameOf(record);
      const text = richStart(textOf(record["body"]) ?? textOf(record["description"]));
      const metadata = { address, ...(text !== undefined && { description: text }) };
      return recordPage(view, { title, metadata, body: otherBody(view) }, context);
    }
  }
}

type RevisionView = Omit<RecordView, "reader">;

/** Shows a work with a page of its editions. One round trip after its row. */
async function showWork(
  revision: RevisionView,
  { members, part, engine }: MembersPage,
  context: RequestContext,
): Promise<Reply> {
  const { record, row } = revision;
  const editions = members.filter(({ type }) => type === "/type/edition").map(latestRecordOf);
  const keys = [
    ...keysWithin(record["authors"], "author"),
    ...keysWithin(record["series"], "series"),
    ...languageKeys(record),
    ...editions.flatMap((edition) => languageKeys(edition).slice(0, ROW_VALUES_MAX)),
  ];
  const book = await loadBook(revision, { works: [], keys, editions, work: row.key, engine }, context);
  const data = bookData({ record, related: book.related, editions }, revision.address, context);
  const body = workBody({ ...book, box: data.box }, editions, part);
  return showBook(book, { body, data, editions, shownRevisions: [...members, ...book.revisions] }, context);
}

/** Shows an edition with its work. One round trip after its row. */
async function showEdition(
  revision: RevisionView,
  { engine }: MembersPage,
  context: RequestContext,
): Promise<Reply> {
  const { record } = revision;
  const workKey = workKeyOf(record);
  const works = workKey === undefined ? [] : [workKey];
  const keys = [...keysOf(record["authors"]), ...languageKeys(record), ...keysOf(record["translated_from"])];
  const editions = [record];
  const book = await loadBook(revision, { works, keys, editions, work: workKey, engine }, context);
  const target = workKey === undefined ? undefined : resolveRecord(book.related, workKey);
  const key = target === undefined || typeKeyOf(target) !== "/type/work" ? undefined : keyOf(target);
  const work = target === undefined || key === undefined ? undefined : { key, record: target };
  const data = bookData({ record, work: work?.record, related: book.related }, revision.address, context);
  const body = editionBody({ ...book, box: data.box }, work);
  return showBook(book, { body, data, editions, shownRevisions: book.revisions }, context);
}

interface BookSources {
  works: readonly string[];
  keys: readonly string[];
  /** Editions whose scans are shown. */
  editions: readonly CatalogRecord[];
  work: string | undefined;
  engine: MembersPage["engine"];
}

async function loadBook(
  revision: RevisionView,
  { works, keys, editions, work, engine }: BookSources,
  context: RequestContext,
) {
  const number = workNumberOfKey(work);
  const scans = editions.flatMap((edition) => ocaidOf(edition) ?? []);
  const [{ records: related, revisions }, states, openable, patronLoans, counts, subjectCounts, reader] =
    await Promise.all([
      readRelated(catalogReader(context), { works, authors: [...new Set(keys)] }),
      lendingStates(context, scans),
      scans.length === 0 ? undefined : readOpenable(context),
      readPatronLoans(context, scans),
      number === undefined ? NO_COUNTS : countsOf(context, number),
      readSubjectCounts(revision.record, engine),
      pageReader(context, number),
    ]);
  const view: RecordView = { ...revision, reader };
  const { archiveUrl } = lookupConfig(context);
  const readerHost = URL.parse(context.settings.READER_URL)?.host;
  const lending = { states, openable, patronLoans, readerHost, archiveUrl };
  return { view, here: revision.here, related, revisions, counts, subjectCounts, ...lending };
}

/** Returns the counts of a work; patrons with a session see their own contribution at once. */
async function countsOf(context: RequestContext, work: number): Promise<WorkCounts> {
  if (!isAnonymous(context)) return (await readOwnCounts(context, work)).counts;
  const counts = await readWorkCounts(context.stores.patrons.withSession("first-unconstrained"), [work]);
  return counts.get(work) ?? NO_COUNTS;
}

interface BookParts extends Pick<RecordContent, "body" | "shownRevisions"> {
  data: ReturnType<typeof bookData>;
  editions: readonly CatalogRecord[];
}

function showBook(
  { view, states }: { view: RecordView; states: LendingStates },
  { body, data, editions, shownRevisions }: BookParts,
  context: RequestContext,
): Reply {
  const { key } = view.row;
  const address = addressOf(key);
  const isVolatile = showsLoans(editions, states);
  const content: RecordContent = {
    title: nameOf(view.record),
    heading: false,
    head: data.head,
    metadata: data.metadata,
    body: markup`${body}${data.span}`,
    links: [
      link(`${address}/lists`, t("book.lists")),
      link(`${address}/add-cover`, t("book.add_cover")),
      link(`${address}/manage-covers`, t("book.covers")),
      view.reader.isLibrarian &&
        key.startsWith("/works/") &&
        link(`/works/merge?records=${lastSegmentOf(key)}`, t("book.merge")),
    ],
    shownRevisions,
    isVolatile,
    // A patron who borrows is redirected to the reader.
    ...(isVolatile && { formsLeadTo: readerUrl(context) }),
  };
  return recordPage(view, content, context);
}

function languageKeys(record: CatalogRecord): string[] {
  return [...keysOf(record["languages"]), ...keysOf(record["original_languages"])];
}

async function showAuthor(
  revision: RevisionView,
  { members, part }: MembersPage,
  context: RequestContext,
): Promise<Reply> {
  const works = members.filter(({ type }) => type === "/type/work").map(latestRecordOf);
  const [editions, years, reader] = await Promise.all([
    countEditions(
      catalogReader(context),
      members.map(({ key }) => key),
    ),
    readAuthorYears(lastSegmentOf(revision.row.key), { works, total: part.total }, context),
    pageReader(context, undefined),
  ]);
  const view: RecordView = { ...revision, reader };
  const { key } = revision.row;
  const address = addressOf(key);
  const content: RecordContent = {
    title: nameOf(revision.record),
    heading: false,
    metadata: authorMetadata({ ...revision, works, total: part.total }, context),
    body: authorBody({ view, works, editions, years, part }),
    links: [
      link(`${address}/lists`, t("author.lists")),
      link(`${address}/add-photo`, t("author.add_photo")),
      link(`${address}/manage-photos`, t("author.photos")),
      reader.isLibrarian && link(`${address}/merge-works`, t("author.alike")),
      reader.isLibrarian && link(`/authors/merge?records=${lastSegmentOf(key)}`, t("author.merge")),
    ],
    shownRevisions: members,
  };
  return recordPage(view, content, context);
}
