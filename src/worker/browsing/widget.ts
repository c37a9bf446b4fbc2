import { latestRecord } from "../../catalog/document.ts";
import { ocaidOf } from "../../catalog/lookup/shared.ts";
import { type CatalogRecord, authorsOf, isObject, keyOf } from "../../catalog/record.ts";
import { readRecordPage } from "../../db/records/read-record-page.ts";
import { readRelated } from "../../db/records/read-related.ts";
import { type LendingStates, availabilityWord } from "../../search/present/availability.ts";
import { lendingStates } from "../availability/lending-states.ts";
import { type RequestContext, catalogReader } from "../context.ts";
import { recordNotFound } from "../errors.ts";
import { editionOfAddress } from "../lending/asked-edition.ts";
import type { WidgetView } from "../pages/records/widget-page.ts";

/** Editions of a work among which one is looked for that can be read. */
export const WIDGET_EDITIONS = 50;

/** What the small page of an edition shows. Throws a 404. */
export async function editionWidget(olid: string, context: RequestContext): Promise<WidgetView> {
  const { edition, work, authors, lending } = await editionOfAddress(context, olid, { withLoans: true });
  const named = [...authorsOf(work?.["authors"], authors), ...authorsOf(edition["authors"], authors)];
  const scan = ocaidOf(edition);
  return {
    record: edition,
    authors: [...new Set(named)],
    edition: scan === undefined ? undefined : edition,
    // Without a status nothing is known of the scan.
    word: lending === undefined ? undefined : availabilityWord(lending),
  };
}

/** The same of a work: the edition of it that can best be read stands for it. Two round trips. Throws a 404. */
export async function workWidget(key: string, context: RequestContext): Promise<WidgetView> {
  const database = catalogReader(context);
  const wanted = { key, revision: undefined, kind: "editions", limit: WIDGET_EDITIONS, offset: 0 } as const;
  const { latest, members } = await readRecordPage(database, wanted);
  if (latest?.type !== "/type/work") throw recordNotFound(key);
  const record = latestRecord(latest);
  const editions = members.filter(({ type }) => type === "/type/edition").map(latestRecord);
  const [related, states] = await Promise.all([
    readRelated(database, { works: [], authors: authorKeys(record) }),
    lendingStates(
      context,
      editions.flatMap((edition) => ocaidOf(edition) ?? []),
    ),
  ]);
  const [best] = editions
    .flatMap((edition) => standing(edition, states))
    .toSorted((a, b) => a.place - b.place);
  const authors = authorsOf(record["authors"], related.records);
  return { record, authors, edition: best?.edition, word: best?.word };
}

const WORDS = ["open", "borrow_available", "borrow_unavailable"] as const;

/** An edition with how it can be had; nothing where it cannot. */
function standing(edition: CatalogRecord, states: LendingStates) {
  const status = states?.get(ocaidOf(edition) ?? "");
  if (status === undefined) return [];
  const word = availabilityWord(status);
  const place = WORDS.findIndex((one) => one === word);
  return place === -1 ? [] : [{ edition, word, place }];
}

function authorKeys({ authors }: CatalogRecord): string[] {
  return Array.isArray(authors)
    ? authors.filter(isObject).flatMap((role) => keyOf(role["author"]) ?? [])
    : [];
}
