import { formatDatetime } from "../../catalog/datetime.ts";
import type { Loan, WaitingPlace } from "../../catalog/lending/loan.ts";
import { ocaidOf } from "../../catalog/lookup/bundle.ts";
import { type CatalogRecord, keyOf, textOf } from "../../catalog/record.ts";
import type { LendingStates } from "../../search/present/availability.ts";
import { providersOf } from "../../search/present/providers.ts";
import { logLine, loggable } from "../http/log.ts";
import type { RequestContext } from "../http/operation.ts";
import { optionalSession } from "../http/session.ts";
import { type OpenableScans, isOpenable } from "../lending/service/openable.ts";
import { type Markup, type Piece, markup, shortText } from "../ui/markup.ts";
import { nameOf, providerName } from "../ui/names.ts";
import { commas, dots } from "../ui/parts.ts";
import { webLink } from "../ui/values.ts";
import { type Words, moment, t } from "../ui/words.ts";

const OFFER_LABELS: ReadonlyMap<string, Words> = new Map([
  ["buy", "lending.buy_at"],
  ["borrow", "lending.borrow_at"],
  ["subscribe", "lending.subscribe_at"],
  ["sample", "lending.sample_at"],
]);

const SHOWN_OFFERS_MAX = 20;

export interface ReadingInput {
  states: LendingStates;
  patronLoans: PatronLoans;
  openable: OpenableScans;
  /** Host of the reader, if it is another service. */
  readerHost: string | undefined;
  /** Base URL of items in the archive, without a slash at the end. */
  archiveUrl: string;
  /** Path to return to after a failed loan, or after joining the waiting list. */
  here: string;
}

/** Renders the ways to read an edition: open books as links, others as buttons; nothing if there are none. */
export function readingLinks(edition: CatalogRecord, input: ReadingInput): Piece[] {
  const { archiveUrl } = input;
  const offers = providersOf(edition, { access: "no_ebook", archiveUrl }).slice(0, SHOWN_OFFERS_MAX);
  const links = offers.flatMap((offer): Piece[] => {
    const url = textOf(offer["url"]) ?? "";
    const host = URL.parse(url)?.host;
    if (host === undefined || host === "") return [];
    const source = textOf(offer["provider_name"]);
    const name = source === undefined ? shortText(host) : providerName(source);
    const format = textOf(offer["format"]) ?? "web";
    const words =
      format === "audio"
        ? "lending.listen_at"
        : (OFFER_LABELS.get(textOf(offer["access"]) ?? "") ?? "lending.read_at");
    const kind = format !== "web" && format !== "audio" && ` (${shortText(format)})`;
    return [webLink(url, t(words, { place: [name, kind] }))];
  });
  const scan = ocaidOf(edition);
  const way = scan === undefined ? undefined : scanWay(edition, scan, input);
  return way === undefined || way === false ? links : [way, ...links];
}

/** Returns true if the page shows the loan state of a scan, or cannot tell it: it can change at any moment. */
export function showsLoans(editions: readonly CatalogRecord[], states: LendingStates): boolean {
  const scans = editions.flatMap((edition) => ocaidOf(edition) ?? []);
  return scans.some((scan) => states === undefined || states.get(scan)?.isLendable === true);
}

/** Renders the first way that applies: the patron's own loan takes precedence over the status of the scan (Q797). */
function scanWay(edition: CatalogRecord, scan: string, input: ReadingInput): Piece {
  const { states, patronLoans, openable, here } = input;
  const canOpen = isOpenable(openable, scan);
  const path = `${keyOf(edition) ?? ""}/x/borrow`;
  const title = markup`<span class="unseen"> ${nameOf(edition)}</span>`;
  const read = markup`<a href="${path}?action=read">${t("lending.read")}${title}</a>`;
  const button = (action: "borrow" | "return" | "join-waitinglist" | "leave-waitinglist", label: Words) =>
    markup`<form method="post" action="${path}"><input type="hidden" name="action" value="${action}">
<input type="hidden" name="redirect" value="${here}"><button type="submit">${t(label)}${title}</button></form>`;
  const loan = patronLoans.loans.get(scan);
  if (loan !== undefined) {
    const status = expiryText(loan.expiry, "lending.yours", "lending.yours_until");
    return markup`${status} ${canOpen && read}
${button("return", "lending.return")}`;
  }
  if (states === undefined) return t("lending.unknown");
  const status = states.get(scan);
  if (status === undefined) return undefined;
  if (status.isReadable) return canOpen && read;
  if (!status.isLendable) return status.isPrintDisabled ? t("lending.print_disabled") : undefined;
  const place = patronLoans.places.get(scan);
  const leave = button("leave-waitinglist", "lending.leave");
  if (place?.status === "waiting") {
    return markup`${t("lending.place", { place: place.position, of: place.queueLength })} ${leave}`;
  }
  if (!canOpen) return place !== undefined && leave;
  const borrow = markup`${button("borrow", "lending.borrow")}<p class="soft small">${loanTerms(scan, input)}</p>`;
  if (place !== undefined) {
    return markup`${expiryText(place.expiry, "lending.turn", "lending.turn_until")}
${borrow} ${leave}`;
  }
  if (status.free > 0) return borrow;
  return markup`${t("lending.waiting", { count: status.waiting })} ${button("join-waitinglist", "lending.join")}`;
}

/** Says how long a loan lasts, in which formats, and where the book opens. */
function loanTerms(scan: string, { openable, readerHost }: ReadingInput): Markup | undefined {
  const formats = openable?.get(scan) ?? [];
  const opens =
    readerHost === undefined ? t("lending.opens_here") : t("lending.opens_at", { place: readerHost });
  return dots([t("lending.two_weeks"), commas(formats), opens]);
}

function expiryText(expiry: number | null, words: Words, dated: Words): Markup {
  return expiry === null ? t(words) : t(dated, { time: moment(formatDatetime(expiry)) });
}

/** Loans and waiting places of the patron who views a page, by the id of the scan (Q510). */
interface PatronLoans {
  loans: ReadonlyMap<string, Loan>;
  places: ReadonlyMap<string, WaitingPlace>;
}

const NO_LOANS: PatronLoans = { loans: new Map(), places: new Map() };

/**
 * Returns the loans and waiting places of the session's patron among scans; none if lending does not answer. Makes no
 * calls without a session or scans.
 */
export async function readPatronLoans(
  context: RequestContext,
  ocaids: readonly string[],
): Promise<PatronLoans> {
  const session = ocaids.length === 0 ? undefined : await optionalSession(context);
  if (session === undefined) return NO_LOANS;
  const { username } = session;
  try {
    const { lendingOf } = await import("../lending/service/lending-of.ts");
    const lending = lendingOf(context);
    const [loans, places] = await Promise.all([
      lending.loans({ username }),
      lending.places({ borrower: { username }, among: ocaids }),
    ]);
    return { loans: byScan(loans), places: byScan(places) };
  } catch (thrown) {
    const { requestId, url } = context;
    logLine("error", "lending", { requestId, path: url.pathname, error: String(loggable(thrown)) });
    return NO_LOANS;
  }
}

function byScan<Item extends { readonly ocaid: string }>(items: readonly Item[]): ReadonlyMap<string, Item> {
  return new Map(items.map((item) => [item.ocaid, item]));
}
