import { latestRecord } from "../../catalog/document.ts";
import { ocaidOf } from "../../catalog/lookup/shared.ts";
import { workNumberOfKey } from "../../catalog/patrons/work-reference.ts";
import { type CatalogRecord, isObject, keyOf, resolveRecord, typeKey } from "../../catalog/record.ts";
import { NO_COUNTS } from "../../search/documents/sources.ts";
import { readWorkCounts } from "../../db/patrons/work-counts.ts";
import { readRelated } from "../../db/records/read-related.ts";
import type { WorkCounts } from "../../search/documents/types.ts";
import { ownView } from "../activity/own-view.ts";
import { lendingStates } from "../availability/lending-states.ts";
import { type RequestContext, catalogReader } from "../context.ts";
import { readerUrl } from "../lending/reader.ts";
import { lookupConfig, workKeyOf } from "../lookup/bundles.ts";
import { addressOf } from "../pages/address.ts";
import { link } from "../pages/parts.ts";
import { editionBody } from "../pages/records/edition-page.ts";
import { keysOf, nameOf } from "../pages/records/names.ts";
import { showsLoans } from "../pages/records/reading-links.ts";
import { recordPage } from "../pages/records/record-page.ts";
import type { RecordContent, RecordView } from "../pages/records/record-view.ts";
import { ROW_VALUES_MAX, workBody } from "../pages/records/work-page.ts";
import type { Reply } from "../reply.ts";
import { isAnonymous } from "../search/reader.ts";
import type { FoundPage } from "./asked-page.ts";
import { ownLoans } from "./own-loans.ts";
import { pageReader } from "./page-reader.ts";
import type { ShownRecord } from "./show-record.ts";

/** The page of a work with a page of its editions. One round trip besides the one that found them. */
export async function workContent(
  shown: ShownRecord,
  found: FoundPage,
  context: RequestContext,
): Promise<Reply> {
  const { record, row } = shown;
  const { members, part } = found;
  const editions = members.filter(({ type }) => type === "/type/edition").map(latestRecord);
  const { related, states, own, counts, reader } = await around(context, {
    works: [],
    keys: [
      ...roleKeys(record),
      ...seriesKeys(record),
      ...languageKeys(record),
      ...editions.flatMap((edition) => languageKeys(edition).slice(0, ROW_VALUES_MAX)),
    ],
    editions,
    work: row.key,
  });
  const view: RecordView = { ...shown, reader };
  const { archiveUrl } = lookupConfig(context);
  const body = workBody({ view, related: related.records, editions, part, counts, states, own, archiveUrl });
  return recordPage(
    view,
    bookContent({ view, body, editions, states }, [...members, ...related.revisions], context),
    context,
  );
}

/** The page of an edition with its work. One round trip besides the one that found it. */
export async function editionContent(shown: ShownRecord, context: RequestContext): Promise<Reply> {
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
  const body = editionBody({
    view,
    work: work === undefined || key === undefined ? undefined : { key, record: work, counts },
    related: related.records,
    states,
    own,
    archiveUrl,
  });
  return recordPage(
    view,
    bookContent({ view, body, editions: [record], states }, related.revisions, context),
    context,
  );
}

interface AroundBook {
  /** Works whose authors are wanted as well. */
  readonly works: readonly string[];
  readonly keys: readonly string[];
  /** Editions whose scans are shown. */
  readonly editions: readonly CatalogRecord[];
  /** The work that readers have on their shelves. */
  readonly work: string | undefined;
}

/** All that stands around a book, asked for side by side. */
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

/** Counts of a work; who has a session sees his own contribution at once. */
async function countsOf(context: RequestContext, work: number): Promise<WorkCounts> {
  if (!isAnonymous(context)) return (await ownView(context, work)).counts;
  const counts = await readWorkCounts(context.stores.patrons.withSession("first-unconstrained"), [work]);
  return counts.get(work) ?? NO_COUNTS;
}

interface BookParts {
  readonly view: RecordView;
  readonly body: RecordContent["body"];
  readonly editions: readonly CatalogRecord[];
  readonly states: Parameters<typeof showsLoans>[1];
}

function bookContent(
  { view, body, editions, states }: BookParts,
  shown: RecordContent["shown"] = [],
  context: RequestContext,
): RecordContent {
  const { key } = view.row;
  const address = addressOf(key);
  const isVolatile = showsLoans(editions, states);
  return {
    title: nameOf(view.record),
    body,
    links: [
      link(`${address}/lists`, "Lists with this book"),
      link(`${address}/add-cover`, "Add a cover"),
      link(`${address}/manage-covers`, "Arrange the covers"),
    ],
    shown,
    isVolatile,
    // Who borrows is led on to the reader.
    ...(isVolatile ? { formsLeadTo: readerUrl(context) } : {}),
  };
}

function roleKeys({ authors }: CatalogRecord): string[] {
  return Array.isArray(authors)
    ? authors.filter(isObject).flatMap((role) => keyOf(role["author"]) ?? [])
    : [];
}

function seriesKeys({ series }: CatalogRecord): string[] {
  return Array.isArray(series) ? series.filter(isObject).flatMap((one) => keyOf(one["series"]) ?? []) : [];
}

function languageKeys(record: CatalogRecord): string[] {
  return [...keysOf(record["languages"]), ...keysOf(record["original_languages"])];
}
