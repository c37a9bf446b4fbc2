import { latestRecord } from "../../catalog/document.ts";
import { keyMatchesType, lastSegment, workNumberOfKey } from "../../catalog/keys.ts";
import { ocaidOf } from "../../catalog/lookup/bundle.ts";
import {
  type CatalogRecord,
  keyOf,
  keysOf,
  keysWithin,
  resolveRecord,
  typeKey,
} from "../../catalog/record.ts";
import { readWorkCounts } from "../../db/patrons/counts.ts";
import { viewOf } from "../../db/records/records.ts";
import { countEditions } from "../../db/records/members.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { readRelated } from "../../db/records/related.ts";
import { type WorkCounts, NO_COUNTS } from "../../search/documents/types.ts";
import type { LendingStates } from "../../search/present/availability.ts";
import { ownView } from "./work-counts.ts";
import { lookupConfig, workKeyOf } from "../holdings/bundles.ts";
import { lendingStates } from "../holdings/lending-of.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { readerUrl } from "../lending/reader.ts";
import { isAnonymous } from "../search/engine.ts";
import { addressOf, markup } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { link } from "../ui/parts.ts";
import { authorBody } from "./author-page.ts";
import { editionBody } from "./edition-page.ts";
import { otherBody } from "./other-page.ts";
import type { FoundPage } from "./page-members.ts";
import { pageReader } from "./page-reader.ts";
import { ownLoans, showsLoans } from "./reading-links.ts";
import { authorHead, bookData } from "./record-head.ts";
import { type RecordContent, type RecordView, recordPage } from "./record-page.ts";
import { ROW_VALUES_MAX, workBody } from "./work-page.ts";
import { say } from "../ui/words.ts";

/** Writes the page of a work with a page of its editions. One round trip besides the one that found them. */
async function workContent(shown: ShownRecord, found: FoundPage, context: RequestContext): Promise<Reply> {
  const { record, row } = shown;
  const { members, part } = found;
  const editions = members.filter(({ type }) => type === "/type/edition").map(latestRecord);
  const { related, states, own, counts, reader } = await around(context, {
    works: [],
    keys: [
      ...keysWithin(record["authors"], "author"),
      ...keysWithin(record["series"], "series"),
      ...languageKeys(record),
      ...editions.flatMap((edition) => languageKeys(edition).slice(0, ROW_VALUES_MAX)),
    ],
    editions,
    work: row.key,
  });
  const view: RecordView = { ...shown, reader };
  const { archiveUrl } = lookupConfig(context);
  const data = bookData({ record, related: related.records, editions }, shown.address, context);
  const body = workBody({
    view,
    related: related.records,
    editions,
    part,
    counts,
    states,
    own,
    archiveUrl,
    box: data.box,
  });
  return recordPage(
    view,
    bookContent({ view, body, data, editions, states }, [...members, ...related.revisions], context),
    context,
  );
}

/** Writes the page of an edition with its work. One round trip besides the one that found it. */
async function editionContent(shown: ShownRecord, context: RequestContext): Promise<Reply> {
  const { record } = shown;
  const workKey = workKeyOf(record);
  const { related, states, own, counts, reader } = await around(context, {
    works: workKey === undefined ? [] : [workKey],
    keys: [...keysOf(record["authors"]), ...languageKeys(record), ...keysOf(record["translated_from"])],
    editions: [record],
    work: workKey,
  });
  const view: RecordView = { ...shown, reader };
  const work = workKey === undefined ? undefined : resolveRecord(related.records, workKey);
  const key = work === undefined || typeKey(work) !== "/type/work" ? undefined : keyOf(work);
  const { archiveUrl } = lookupConfig(context);
  const data = bookData(
    { record, work: key === undefined ? undefined : work, related: related.records },
    shown.address,
    context,
  );
  const body = editionBody({
    view,
    work: work === undefined || key === undefined ? undefined : { key, record: work, counts },
    related: related.records,
    states,
    own,
    archiveUrl,
    box: data.box,
  });
  return recordPage(
    view,
    bookContent({ view, body, data, editions: [record], states }, related.revisions, context),
    context,
  );
}

interface AroundBook {
  /** Works whose authors are read as well. */
  readonly works: readonly string[];
  readonly keys: readonly string[];
  /** Editions whose scans are shown. */
  readonly editions: readonly CatalogRecord[];
  /** Work whose readers and shelves are shown. */
  readonly work: string | undefined;
}

/** Loads the records, loans and counts around a book concurrently. */
async function around(context: RequestContext, { works, keys, editions, work }: AroundBook) {
  const number = workNumberOfKey(work);
  const scans = editions.flatMap((edition) => ocaidOf(edition) ?? []);
  const [related, states, own, counts, reader] = await Promise.all([
    readRelated(catalogReader(context), { works, authors: [...new Set(keys)] }),
    lendingStates(context, scans),
    ownLoans(context, scans),
    number === undefined ? NO_COUNTS : countsOf(context, number),
    pageReader(context, number),
  ]);
  return { related, states, own, counts, reader };
}

/** Returns the counts of a work; patrons with a session see their own contribution at once. */
async function countsOf(context: RequestContext, work: number): Promise<WorkCounts> {
  if (!isAnonymous(context)) return (await ownView(context, work)).counts;
  const counts = await readWorkCounts(context.stores.patrons.withSession("first-unconstrained"), [work]);
  return counts.get(work) ?? NO_COUNTS;
}

interface BookParts {
  readonly view: RecordView;
  readonly body: RecordContent["body"];
  readonly data: ReturnType<typeof bookData>;
  readonly editions: readonly CatalogRecord[];
  readonly states: LendingStates;
}

function bookContent(
  { view, body, data, editions, states }: BookParts,
  shown: RecordContent["shown"],
  context: RequestContext,
): RecordContent {
  const { key } = view.row;
  const address = addressOf(key);
  const isVolatile = showsLoans(editions, states);
  return {
    title: nameOf(view.record),
    heading: false,
    head: data.head,
    body: markup`${body}${data.span}`,
    links: [
      link(`${address}/lists`, say("book.lists")),
      link(`${address}/add-cover`, say("book.add_cover")),
      link(`${address}/manage-covers`, say("book.covers")),
      view.reader.isLibrarian &&
        key.startsWith("/works/") &&
        link(`/works/merge?records=${lastSegment(key)}`, say("book.merge")),
    ],
    shown,
    isVolatile,
    // A patron who borrows is redirected to the reader.
    ...(isVolatile ? { formsLeadTo: readerUrl(context) } : {}),
  };
}

function languageKeys(record: CatalogRecord): string[] {
  return [...keysOf(record["languages"]), ...keysOf(record["original_languages"])];
}

/** Writes the page of a record. `row` is the revision to show, `address` the path of the page. */
export async function showRecord(
  found: FoundPage,
  { row, address }: { readonly row: RecordRow; readonly address: string },
  context: RequestContext,
): Promise<Reply> {
  const record = viewOf(row);
  const here = address + context.url.search;
  const shown = { row, record, address, here };
  // A record whose key does not fit its type is shown as it is stored.
  switch (keyMatchesType(row.key, row.type, context.settings.RECORD_PREFIX) ? row.type : undefined) {
    case "/type/work":
      return workContent(shown, found, context);
    case "/type/edition":
      return editionContent(shown, context);
    case "/type/author":
      return authorContent(shown, found, context);
    default: {
      const view: RecordView = { ...shown, reader: await pageReader(context, undefined) };
      return recordPage(view, { title: nameOf(record), body: otherBody(view) }, context);
    }
  }
}

type ShownRecord = Omit<RecordView, "reader">;

async function authorContent(shown: ShownRecord, found: FoundPage, context: RequestContext): Promise<Reply> {
  const { members, part } = found;
  const [editions, reader] = await Promise.all([
    countEditions(
      catalogReader(context),
      members.map(({ key }) => key),
    ),
    pageReader(context, undefined),
  ]);
  const view: RecordView = { ...shown, reader };
  const works = members.filter(({ type }) => type === "/type/work").map(latestRecord);
  const content: RecordContent = {
    title: nameOf(shown.record),
    heading: false,
    head: authorHead(shown.record, shown.address, context),
    body: authorBody({ view, works, editions, part }),
    links: authorLinks(shown.row.key, reader.isLibrarian),
    shown: members,
  };
  return recordPage(view, content, context);
}

function authorLinks(key: string, isLibrarian: boolean) {
  const address = addressOf(key);
  const olid = key.slice("/authors/".length);
  return [
    link(`${address}/lists`, say("author.lists")),
    link(`${address}/add-photo`, say("author.add_photo")),
    link(`${address}/manage-photos`, say("author.photos")),
    isLibrarian && link(`${address}/merge-works`, say("author.alike")),
    isLibrarian && link(`/authors/merge?records=${olid}`, say("author.merge")),
  ];
}
