import { keyMatchesType } from "../../catalog/keys.ts";
import { countEditions } from "../../db/records/count-editions.ts";
import { latestRecord } from "../../catalog/document.ts";
import type { RecordRow } from "../../db/records/read-record.ts";
import { type RequestContext, catalogReader } from "../context.ts";
import { authorBody } from "../pages/records/author-page.ts";
import { nameOf } from "../pages/records/names.ts";
import { otherBody } from "../pages/records/other-page.ts";
import { recordPage } from "../pages/records/record-page.ts";
import type { RecordContent, RecordView } from "../pages/records/record-view.ts";
import { link } from "../pages/parts.ts";
import { viewOf } from "../records-by-key.ts";
import type { Reply } from "../reply.ts";
import { addressOf } from "../pages/address.ts";
import type { FoundPage } from "./asked-page.ts";
import { editionContent, workContent } from "./books.ts";
import { pageReader } from "./page-reader.ts";

/** The page of a record. `row` is the revision to show, `address` the path of the page. */
export async function showRecord(
  found: FoundPage,
  { row, address }: { readonly row: RecordRow; readonly address: string },
  context: RequestContext,
): Promise<Reply> {
  const record = viewOf(row);
  const here = address + context.url.search;
  const shown = { row, record, address, here };
  switch (pageKind(row, context)) {
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

/** The type that decides what a page shows; a record that is not where its type belongs is shown as it is stored. */
function pageKind({ key, type }: RecordRow, { settings }: RequestContext): string | undefined {
  return keyMatchesType(key, type, settings.RECORD_PREFIX) ? type : undefined;
}

/** A record whose page is about to be made. */
export type ShownRecord = Omit<RecordView, "reader">;

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
    link(`${address}/lists`, "Lists with this author"),
    link(`${address}/add-photo`, "Add a photo"),
    link(`${address}/manage-photos`, "Arrange the photos"),
    isLibrarian && link(`${address}/merge-works`, "Works that look alike"),
    isLibrarian && link(`/authors/merge?records=${olid}`, "Merge with another author"),
  ];
}
