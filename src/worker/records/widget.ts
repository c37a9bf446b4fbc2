import * as z from "zod";
import { latestRecordOf } from "../../catalog/document.ts";
import { ocaidOf } from "../../catalog/lookup/bundle.ts";
import { type CatalogRecord, authorsOf, keyOf, keysWithin } from "../../catalog/record.ts";
import { readRecordPage } from "../../db/records/members.ts";
import { readRelated } from "../../db/records/related.ts";
import { availabilityStatusOf } from "../../search/present/availability.ts";
import { editionOfAddress } from "../lookup/editions/bundles.ts";
import { lendingStates } from "../lending/service/lending-states.ts";
import { lastSegmentOf, makeNumberedKey } from "../../catalog/keys.ts";
import { recordNotFound } from "../http/errors.ts";
import { digitsOf } from "../http/parameters.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { cover as coverOf, firstPicture } from "../ui/cover.ts";
import { recordPagePath } from "../ui/form.ts";
import { smallPage } from "../ui/layout.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { nameOf } from "../ui/names.ts";
import { commas } from "../ui/parts.ts";
import { t } from "../ui/words.ts";
import { RECORD_CACHE } from "./record-answer.ts";

/** Editions of a work that are searched for a readable one. */
const WIDGET_EDITIONS = 50;

export const workWidgetPage = widgetOperation("work", "a work", loadWork);
export const editionWidgetPage = widgetOperation("edition", "an edition", loadEdition);

function widgetOperation(
  kind: "work" | "edition",
  name: string,
  load: (key: string, context: RequestContext) => Promise<WidgetView>,
) {
  return operation({
    id: `${kind}Widget`,
    summary: `Show an embeddable widget of ${name}`,
    tag: "records",
    path: { [`${kind}_id`]: digitsOf("record", z.string().regex(/^\d{1,15}$/)) },
    cache: RECORD_CACHE,
    responses: {
      200: { description: "HTML page for an iframe", contentType: "text/html" },
    },
    async handle({ path }, context) {
      const key = makeNumberedKey(kind, path[`${kind}_id`] ?? "", context.settings.RECORD_PREFIX);
      return widgetPage(await load(key, context));
    },
  });
}

/** Throws 404. */
async function loadEdition(key: string, context: RequestContext): Promise<WidgetView> {
  const olid = lastSegmentOf(key);
  const { edition, work, authors, lending } = await editionOfAddress(context, olid, { withLoans: true });
  const allAuthors = [...authorsOf(work?.["authors"], authors), ...authorsOf(edition["authors"], authors)];
  return {
    record: edition,
    authors: [...new Set(allAuthors)],
    edition: ocaidOf(edition) === undefined ? undefined : edition,
    availability: lending === undefined ? undefined : availabilityStatusOf(lending),
  };
}

/** Loads a work with its most readable edition. Two round trips. Throws 404. */
async function loadWork(key: string, context: RequestContext): Promise<WidgetView> {
  const database = catalogReader(context);
  const { latest, members } = await readRecordPage(database, {
    key,
    revision: undefined,
    kind: "editions",
    limit: WIDGET_EDITIONS,
    offset: 0,
  });
  if (latest?.type !== "/type/work") throw recordNotFound(key);
  const record = latestRecordOf(latest);
  const editions = members.filter(({ type }) => type === "/type/edition").map(latestRecordOf);
  const [related, states] = await Promise.all([
    readRelated(database, { works: [], authors: keysWithin(record["authors"], "author") }),
    lendingStates(
      context,
      editions.flatMap((edition) => ocaidOf(edition) ?? []),
    ),
  ]);
  const [best] = editions
    .flatMap((edition) => {
      const status = states?.get(ocaidOf(edition) ?? "");
      return status === undefined ? [] : [{ edition, availability: availabilityStatusOf(status) }];
    })
    .filter(({ availability }) => READABLE.includes(availability))
    .toSorted((a, b) => READABLE.indexOf(a.availability) - READABLE.indexOf(b.availability));
  return { record, authors: authorsOf(record["authors"], related.records), ...best };
}

type Availability = ReturnType<typeof availabilityStatusOf>;

/** Availabilities of a readable edition, the best first. */
const READABLE: readonly Availability[] = ["open", "borrow_available", "borrow_unavailable"];

interface WidgetView {
  record: CatalogRecord;
  authors: readonly CatalogRecord[];
  edition?: CatalogRecord | undefined;
  availability?: Availability | undefined;
}

function widgetPage(view: WidgetView): Reply {
  const { record, authors, edition } = view;
  const title = nameOf(record);
  const cover = firstPicture(record["covers"]) ?? firstPicture(edition?.["covers"]);
  const names = authors.map((author) => topLink(recordPagePath(keyOf(author) ?? "", author), nameOf(author)));
  const reply = smallPage({
    title,
    body: markup`<h1>${topLink(recordPagePath(keyOf(record) ?? "", record), title)}</h1>
${names.length > 0 && markup`<p>${t("book.by", { authors: commas(names) })}</p>`}
${coverOf({ key: keyOf(record) ?? "", title, id: cover, width: 64 })}
<p>${readingLink(view)}</p>`,
  });
  // Loans change at any moment.
  return { ...reply, isVolatile: view.availability?.startsWith("borrow") ?? false };
}

function readingLink({ record, edition, availability }: WidgetView): Markup {
  const borrow = `${keyOf(edition) ?? ""}/x/borrow`;
  switch (availability) {
    case "open":
      return topLink(`${borrow}?action=read`, t("lending.read"));
    case "borrow_available":
      return topLink(borrow, t("lending.borrow"));
    case "borrow_unavailable":
      return topLink(recordPagePath(keyOf(edition) ?? "", edition ?? record), t("lending.wait"));
    default:
      return topLink(recordPagePath(keyOf(record) ?? "", record), t("lending.about"));
  }
}

function topLink(href: string, text: Piece): Markup {
  return markup`<a href="${href}" target="_top">${text}</a>`;
}
