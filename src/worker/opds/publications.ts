import { KIB } from "../../catalog/units.ts";
import { latestRecordOf } from "../../catalog/document.ts";
import type { Loan, WaitingPlace } from "../../catalog/lending/loan.ts";
import { ocaidOf } from "../../catalog/lookup/bundle.ts";
import { type CatalogRecord, textOf } from "../../catalog/record.ts";
import { readRecords } from "../../db/records/records.ts";
import type { Acquisition, Availability, Publication } from "../../export/opds/feed.ts";
import type { LendingStates } from "../../search/present/availability.ts";
import { providersOf } from "../../search/present/providers.ts";
import { type Book, fitBook } from "../../export/book.ts";
import { inParts, readBooks } from "../http/book-formats.ts";
import { type RequestContext, lookupConfig, catalogReader } from "../http/operation.ts";
import { lendingStates } from "../lending/service/lending-states.ts";
import { opdsTimeOf, opdsUrlOf } from "./feeds.ts";

export interface PatronHoldings {
  readonly loans: ReadonlyMap<string, Loan>;
  readonly places: ReadonlyMap<string, WaitingPlace>;
}

const NO_HOLDINGS: PatronHoldings = { loans: new Map(), places: new Map() };

const OFFER_TYPES: Readonly<Record<string, string>> = {
  epub: "application/epub+zip",
  pdf: "application/pdf",
};
const OFFERS_MAX = 20;
/** Longest address of an offer, in characters. */
const OFFER_LENGTH = 2000;
/** Maximum bytes of a book as written, so that a page of 30 stays below 8 MiB. */
const OPDS_BOOK_BYTES = 192 * KIB;

/** Q600: reads the editions that can be read, borrowed or bought, in the order of the keys. Three round trips. */
export async function readPublications(
  keys: readonly string[],
  context: RequestContext,
  holdings: PatronHoldings = NO_HOLDINGS,
): Promise<Publication[]> {
  const parts = inParts(keys, (part) => readRecords(catalogReader(context), part));
  const rows = (await Array.fromAsync(parts)).flat();
  const byKey = new Map(rows.filter(({ type }) => type === "/type/edition").map((row) => [row.key, row]));
  const editions = keys.flatMap((key) => {
    const row = byKey.get(key);
    return row === undefined ? [] : [latestRecordOf(row)];
  });
  const [books, states] = await Promise.all([
    Array.fromAsync(
      readBooks(
        editions.map((record) => ({ record })),
        context,
      ),
    ),
    lendingStates(
      context,
      editions.flatMap((edition) => ocaidOf(edition) ?? []),
    ),
  ]);
  const { archiveUrl } = lookupConfig(context);
  return books.flatMap((book, at) => {
    const edition = editions[at] ?? {};
    const scan = ocaidOf(edition);
    const scans = scan === undefined ? [] : scanAcquisitions(scan, { book, states, holdings }, context);
    // Without access, since the scan is among the acquisitions already.
    const offers = providersOf(edition, { access: "no_ebook", archiveUrl }).slice(0, OFFERS_MAX);
    const acquisitions = [...scans, ...offers.flatMap((offer) => offerAcquisitions(offer))];
    const href = opdsUrlOf(context, `/books/${book.id}`);
    return acquisitions.length === 0 ? [] : [{ book: fitBook(book, OPDS_BOOK_BYTES), href, acquisitions }];
  });
}

function offerAcquisitions(offer: CatalogRecord): Acquisition[] {
  const href = textOf(offer["url"]) ?? "";
  if (href.length > OFFER_LENGTH || !/^https?:\/\//i.test(href) || !URL.canParse(href)) return [];
  // Written by `providersOf`.
  const kind = textOf(offer["access"]) as Acquisition["kind"];
  const [, value, currency = ""] =
    /^(\d{1,7}(?:\.\d{1,2})?) ([A-Z]{3})$/.exec((textOf(offer["price"]) ?? "").trim()) ?? [];
  const price = value === undefined ? undefined : { value: Number(value), currency };
  // OPDS requires a price (OPDS 1.2, 5.3).
  if (kind === "buy" && price === undefined) return [];
  const type = OFFER_TYPES[textOf(offer["format"]) ?? ""] ?? "text/html";
  return [{ kind, href: new URL(href).href, type, price }];
}

/** Q601: offers an open scan for reading and download, and other scans for borrowing, with their availability. */
function scanAcquisitions(
  scan: string,
  { book, states, holdings }: { book: Book; states: LendingStates; holdings: PatronHoldings },
  context: RequestContext,
): Acquisition[] {
  const status = states?.get(scan);
  const page = `${book.url}/x/borrow`;
  if (status?.isReadable === true) {
    const id = encodeURIComponent(scan.toWellFormed());
    const file = `${lookupConfig(context).archiveUrl}/download/${id}/${id}`;
    return [
      { kind: "open-access", href: `${file}.epub`, type: "application/epub+zip" },
      { kind: "open-access", href: `${file}.pdf`, type: "application/pdf" },
      { kind: "open-access", href: `${page}?action=read`, type: "text/html" },
    ];
  }
  const loan = holdings.loans.get(scan);
  if (loan !== undefined) {
    const availability = {
      state: "available" as const,
      since: opdsTimeOf(loan.loanedAt),
      until: timeOf(loan.expiry),
    };
    return [{ kind: "borrow", href: `${page}?action=read`, type: "text/html", availability }];
  }
  if (status?.isLendable !== true) return [];
  const place = holdings.places.get(scan);
  let state: Pick<Availability, "state" | "since" | "until">;
  if (place !== undefined) {
    const name = place.status === "available" ? "ready" : "reserved";
    state = { state: name, since: opdsTimeOf(place.since), until: timeOf(place.expiry) };
  } else if (status.free > 0) {
    state = { state: "available" };
  } else {
    state = { state: "unavailable", until: timeOf(status.nextExpiry) };
  }
  const copies = { total: status.copies, available: status.free };
  const holds = { total: status.waiting, ...(place !== undefined && { position: place.position }) };
  return [{ kind: "borrow", href: page, type: "text/html", availability: { ...state, copies, holds } }];
}

function timeOf(milliseconds: number | null): string | undefined {
  return milliseconds === null ? undefined : opdsTimeOf(milliseconds);
}
