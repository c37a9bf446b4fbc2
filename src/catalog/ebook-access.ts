import { type CatalogRecord, type Json, isObject, objectsOf, stringsOf, textOf } from "./record.ts";

/** Levels of access to an edition or work, lowest first. */
export const EBOOK_ACCESS_LEVELS = [
  "no_ebook",
  "unclassified",
  "printdisabled",
  "borrowable",
  "public",
] as const;

export type EbookAccess = (typeof EBOOK_ACCESS_LEVELS)[number];
type PreviewWord = "noview" | "restricted" | "borrow" | "full";

export interface ItemMetadata {
  readonly collections: readonly string[];
  readonly accessRestricted: boolean;
}

interface EbookAccessInput {
  readonly edition: CatalogRecord;
  readonly item: ItemMetadata | undefined;
  readonly workSubjects: readonly string[];
  /** True to derive the access of an item without metadata from the work's subjects. Default true. */
  readonly deriveItem?: boolean;
}

/** Providers whose books are open to everyone, in order of preference. An identifier of a is enough. */
export const OPEN_PROVIDERS = [
  "librivox",
  "project_gutenberg",
  "project_runeberg",
  "standard_ebooks",
  "openstax",
  "cita_press",
  "wikisource",
] as const;

const SUBJECT_COLLECTIONS = [
  { subject: "In library", collections: ["inlibrary", "printdisabled"] },
  { subject: "Lending library", collections: ["inlibrary", "printdisabled"] },
  { subject: "Protected DAISY", collections: ["printdisabled"] },
  { subject: "Accessible book", collections: ["texts"] },
] as const;

const OFFER_ACCESS = new Map<string, EbookAccess>([
  ["open-access", "public"],
  ["read", "public"],
  ["listen", "public"],
  ["borrow", "borrowable"],
  ["sample", "printdisabled"],
  ["preview", "printdisabled"],
  ["buy", "no_ebook"],
  ["subscribe", "no_ebook"],
]);

const PREVIEW_WORDS: Readonly<Record<EbookAccess, PreviewWord>> = {
  no_ebook: "noview",
  unclassified: "noview",
  printdisabled: "restricted",
  borrowable: "borrow",
  public: "full",
};

/** Returns the access of an edition. The first provider for which it has an identifier decides. */
export function ebookAccessOf({
  edition,
  item,
  workSubjects,
  deriveItem = true,
}: EbookAccessInput): EbookAccess {
  const offer = objectsOf(edition["providers"]).find(({ url }) => hasText(url));
  if (offer !== undefined) return offerAccessOf(offer);
  const { identifiers } = edition;
  const isOpen = isObject(identifiers) && OPEN_PROVIDERS.some((name) => hasText(identifiers[name]));
  if (isOpen) return "public";
  if (!hasText(edition["ocaid"])) return "no_ebook";
  return itemAccessOf(item ?? (deriveItem ? itemFromSubjects(workSubjects) : undefined));
}

/** Returns the higher of two levels. A work has the highest level of its editions. */
export function higherAccessOf(a: EbookAccess, b: EbookAccess): EbookAccess {
  return EBOOK_ACCESS_LEVELS.indexOf(a) < EBOOK_ACCESS_LEVELS.indexOf(b) ? b : a;
}

/** Returns the preview word for lookups. Only a scan can be previewed. */
export function previewWordOf(edition: CatalogRecord, access: EbookAccess): PreviewWord {
  return hasText(edition["ocaid"]) ? PREVIEW_WORDS[access] : "noview";
}

/** Returns the metadata that the work's subjects imply for an item without metadata. */
export function itemFromSubjects(subjects: readonly string[]): ItemMetadata | undefined {
  const known = SUBJECT_COLLECTIONS.find(({ subject }) => subjects.includes(subject));
  return known === undefined ? undefined : { collections: known.collections, accessRestricted: false };
}

export function itemAccessOf(item: ItemMetadata | undefined): EbookAccess {
  if (item === undefined) return "unclassified";
  if (item.collections.includes("inlibrary")) return "borrowable";
  if (item.collections.includes("printdisabled")) return "printdisabled";
  return item.accessRestricted || item.collections.length === 0 ? "unclassified" : "public";
}

/** Returns the access of an offer. An unknown access word promises nothing, although there is an e-book. */
function offerAccessOf(offer: CatalogRecord): EbookAccess {
  const word = textOf(offer["access"]);
  return word === undefined || word === "" ? "public" : (OFFER_ACCESS.get(word) ?? "unclassified");
}

function hasText(value: Json | undefined): boolean {
  return stringsOf(value).some((text) => text !== "");
}
