import type { EbookAccess } from "../../catalog/ebook-access.ts";
import { type CatalogRecord, type JsonObject, isObject, stringsOf, textOf } from "../../catalog/record.ts";

type OfferAccess = "sample" | "buy" | "open-access" | "borrow" | "subscribe";

const ACCESSES = new Map<string, OfferAccess>([
  ["sample", "sample"],
  ["preview", "sample"],
  ["buy", "buy"],
  ["subscribe", "subscribe"],
  ["borrow", "borrow"],
]);
const SCAN_ACCESSES = new Map<EbookAccess, OfferAccess>([
  ["public", "open-access"],
  ["borrowable", "borrow"],
  ["printdisabled", "sample"],
]);
const FORMATS = new Set(["web", "pdf", "epub", "audio"]);

/** Sources of open books by the name of their identifiers, in order of preference. */
const OPEN_PROVIDERS: readonly {
  readonly name: string;
  readonly format: "web" | "audio";
  readonly url: (id: string) => string;
}[] = [
  { name: "librivox", format: "audio", url: (id) => `https://librivox.org/${id}` },
  { name: "project_gutenberg", format: "web", url: (id) => `https://www.gutenberg.org/ebooks/${id}` },
  { name: "project_runeberg", format: "web", url: (id) => `https://runeberg.org/${id}/` },
  { name: "standard_ebooks", format: "web", url: (id) => `https://standardebooks.org/ebooks/${id}` },
  { name: "openstax", format: "web", url: (id) => `https://openstax.org/details/books/${id}` },
  { name: "cita_press", format: "web", url: (id) => `https://www.citapress.org/books/${id}` },
  { name: "wikisource", format: "web", url: (id) => `https://wikisource.org/wiki/${id}` },
];

interface ScanOffer {
  access: EbookAccess;
  /** Address of the archive with the items, without a slash at the end. */
  archiveUrl: string;
}

/** Returns offers of an edition, best first: its record, open sources, its scan; all with five members. */
export function providersOf(edition: CatalogRecord, scan: ScanOffer): JsonObject[] {
  return [...directOffersOf(edition), ...openOffersOf(edition), ...scanOffersOf(edition, scan)];
}

function directOffersOf({ providers }: CatalogRecord): JsonObject[] {
  const offers = Array.isArray(providers) ? providers.filter(isObject) : [];
  return offers.flatMap((offer) => {
    const url = textOf(offer["url"]);
    if (url === undefined || url === "") return [];
    const format = textOf(offer["format"]) ?? "web";
    return [
      {
        access: ACCESSES.get(textOf(offer["access"]) ?? "") ?? "open-access",
        format: FORMATS.has(format) ? format : "web",
        price: textOf(offer["price"]) ?? null,
        url,
        provider_name: textOf(offer["provider_name"]) ?? null,
      },
    ];
  });
}

function openOffersOf({ identifiers }: CatalogRecord): JsonObject[] {
  if (!isObject(identifiers)) return [];
  return OPEN_PROVIDERS.flatMap(({ name, format, url }) => {
    const id = stringsOf(identifiers[name]).find((identifier) => identifier.trim() !== "");
    if (id === undefined) return [];
    return [
      {
        access: "open-access",
        format,
        price: null,
        url: url(encodeURI(id.trim().toWellFormed())),
        provider_name: name,
      },
    ];
  });
}

function scanOffersOf({ ocaid }: CatalogRecord, { access, archiveUrl }: ScanOffer): JsonObject[] {
  const offerAccess = SCAN_ACCESSES.get(access);
  const [item] = stringsOf(ocaid);
  if (offerAccess === undefined || item === undefined || item === "") return [];
  const url = `${archiveUrl}/details/${encodeURIComponent(item.toWellFormed())}`;
  return [{ access: offerAccess, format: "web", price: null, url, provider_name: "ia" }];
}
