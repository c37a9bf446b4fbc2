import * as z from "zod";
import { latestRecord } from "../../catalog/document.ts";
import { ocaidOf } from "../../catalog/lookup/bundle.ts";
import { type CatalogRecord, authorsOf, keyOf, keysWithin } from "../../catalog/record.ts";
import { readRecordPage } from "../../db/records/members.ts";
import { readRelated } from "../../db/records/related.ts";
import { type LendingStates, availabilityWord } from "../../search/present/availability.ts";
import { editionOfAddress } from "../holdings/edition-of-address.ts";
import { lendingStates } from "../lending/lending-of.ts";
import { lastSegment, numberedKey } from "../../catalog/keys.ts";
import { recordNotFound } from "../http/errors.ts";
import { digitsOf } from "../http/parameters.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { cover as coverOf, firstPicture } from "../ui/cover.ts";
import { recordPage } from "../ui/form.ts";
import { smallPage } from "../ui/layout.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { commas } from "../ui/parts.ts";
import { say } from "../ui/words.ts";
import { RECORD_KEEP } from "./record-answer.ts";

/** Editions of a work that are searched for a readable one. */
const WIDGET_EDITIONS = 50;

/** `GET /works/OL1W/widget`: a work as a small page to embed in other sites. */
export const workWidgetPage = widgetOperation("work", "A work", workWidget);
/** `GET /books/OL1M/widget`: an edition as a small page to embed in other sites. */
export const editionWidgetPage = widgetOperation("edition", "An edition", editionWidget);

function widgetOperation(
  kind: "work" | "edition",
  name: string,
  view: (key: string, context: RequestContext) => Promise<WidgetView>,
) {
  return operation({
    id: `${kind}Widget`,
    summary: `${name} as a small page for the pages of others, with how it can be read`,
    tag: "records",
    path: { [`${kind}_id`]: digitsOf("record", z.string().regex(/^\d{1,15}$/)) },
    keep: RECORD_KEEP,
    responses: {
      200: { description: "A small page", contentType: "text/html" },
      404: { description: "No such book" },
    },
    async handle({ path }, context) {
      const key = numberedKey(kind, path[`${kind}_id`] ?? "", context.settings.RECORD_PREFIX);
      return widgetPage(await view(key, context));
    },
  });
}

/** Loads the content of an edition's small page. Throws a 404. */
async function editionWidget(key: string, context: RequestContext): Promise<WidgetView> {
  const olid = lastSegment(key);
  const { edition, work, authors, lending } = await editionOfAddress(context, olid, { withLoans: true });
  const named = [...authorsOf(work?.["authors"], authors), ...authorsOf(edition["authors"], authors)];
  const scan = ocaidOf(edition);
  return {
    record: edition,
    authors: [...new Set(named)],
    edition: scan === undefined ? undefined : edition,
    // Without a status the availability of the scan is unknown.
    word: lending === undefined ? undefined : availabilityWord(lending),
  };
}

/** Loads the content of a work's small page, with its most readable edition. Two round trips. Throws a 404. */
async function workWidget(key: string, context: RequestContext): Promise<WidgetView> {
  const database = catalogReader(context);
  const wanted = { key, revision: undefined, kind: "editions", limit: WIDGET_EDITIONS, offset: 0 } as const;
  const { latest, members } = await readRecordPage(database, wanted);
  if (latest?.type !== "/type/work") throw recordNotFound(key);
  const record = latestRecord(latest);
  const editions = members.filter(({ type }) => type === "/type/edition").map(latestRecord);
  const [related, states] = await Promise.all([
    readRelated(database, { works: [], authors: keysWithin(record["authors"], "author") }),
    lendingStates(
      context,
      editions.flatMap((edition) => ocaidOf(edition) ?? []),
    ),
  ]);
  const [best] = editions
    .flatMap((edition) => readableEdition(edition, states))
    .toSorted((a, b) => a.place - b.place);
  const authors = authorsOf(record["authors"], related.records);
  return { record, authors, edition: best?.edition, word: best?.word };
}

const WORDS = ["open", "borrow_available", "borrow_unavailable"] as const;

/** Returns an edition with its availability; an empty array if it is not available. */
function readableEdition(edition: CatalogRecord, states: LendingStates) {
  const status = states?.get(ocaidOf(edition) ?? "");
  if (status === undefined) return [];
  const word = availabilityWord(status);
  const place = WORDS.findIndex((one) => one === word);
  return place === -1 ? [] : [{ edition, word, place }];
}

interface WidgetView {
  readonly record: CatalogRecord;
  readonly authors: readonly CatalogRecord[];
  /** Readable edition; undefined if there is none. */
  readonly edition: CatalogRecord | undefined;
  /** Availability; undefined if it is unknown. */
  readonly word: ReturnType<typeof availabilityWord> | undefined;
}

function widgetPage(view: WidgetView): Reply {
  const { record, authors, edition } = view;
  const title = nameOf(record);
  const cover = firstPicture(record["covers"]) ?? firstPicture(edition?.["covers"]);
  const names = authors.map((author) => topLink(recordPage(keyOf(author) ?? "", author), nameOf(author)));
  const reply = smallPage({
    title,
    body: markup`<h1>${topLink(recordPage(keyOf(record) ?? "", record), title)}</h1>
${names.length > 0 && markup`<p>${say("book.by", { authors: commas(names) })}</p>`}
${coverOf({ key: keyOf(record) ?? "", title, id: cover, width: 64 })}
<p>${howToRead(view)}</p>`,
  });
  // Loans change at any moment.
  return { ...reply, isVolatile: view.word?.startsWith("borrow") ?? false };
}

function howToRead({ record, edition, word }: WidgetView): Markup {
  const borrow = `${keyOf(edition) ?? ""}/x/borrow`;
  switch (word) {
    case "open":
      return topLink(`${borrow}?action=read`, say("lending.read"));
    case "borrow_available":
      return topLink(borrow, say("lending.borrow"));
    case "borrow_unavailable":
      return topLink(recordPage(keyOf(edition) ?? "", edition ?? record), say("lending.wait"));
    default:
      return topLink(recordPage(keyOf(record) ?? "", record), say("lending.about"));
  }
}

/** Renders a link that leaves the frame. */
function topLink(href: string, text: Piece): Markup {
  return markup`<a href="${href}" target="_top">${text}</a>`;
}
