import type { EditionBundle } from "../../catalog/lookup/shared.ts";
import { type CatalogRecord, authorsOf, keyOf, stringsOf, textOf } from "../../catalog/record.ts";
import { editionTitle } from "../../catalog/view.ts";
import { readItems } from "../../db/holdings/read-items.ts";
import type { BookMetadata } from "../../search/inside/metadata.ts";
import { type RequestContext, catalogReader } from "../context.ts";
import { editionsOfScans } from "./editions-of-scans.ts";
import { languagesInEnglish } from "./languages.ts";

/** What the operator says of a book; what he does not say is taken from the scan's edition. */
export interface GivenMetadata {
  readonly title?: string | undefined;
  readonly creator?: readonly string[] | undefined;
  readonly year?: number | undefined;
  readonly language?: readonly string[] | undefined;
  readonly collection?: readonly string[] | undefined;
  readonly subject?: readonly string[] | undefined;
  readonly publisher?: readonly string[] | undefined;
  readonly date?: string | undefined;
  readonly mediatype?: string | undefined;
  readonly downloads?: number | undefined;
}

/** Subjects taken over from a work. */
const SUBJECTS_MAX = 20;
const YEAR = /(?<!\d)\d{4}(?!\d)/;
const LANGUAGES = "/languages/";

/** Metadata of a book whose text is loaded. Four statements at most. */
export async function bookMetadata(
  identifier: string,
  given: GivenMetadata,
  context: RequestContext,
): Promise<BookMetadata> {
  const database = catalogReader(context);
  const [editions, items] = await Promise.all([
    editionsOfScans(database, [identifier], context),
    readItems(database, [identifier]),
  ]);
  const known = fromEdition(editions.get(identifier));
  const languages = await languagesInEnglish(database, given.language ?? known.languages);
  return {
    ...definedOf({ title: given.title ?? known.title, date: given.date ?? known.date }),
    ...definedOf({ year: given.year ?? known.year, downloads: given.downloads }),
    creators: given.creator ?? known.creators,
    languages,
    collections: given.collection ?? items.get(identifier)?.collections ?? [],
    subjects: given.subject ?? known.subjects,
    publishers: given.publisher ?? known.publishers,
    mediatype: given.mediatype ?? "texts",
  };
}

/** What the records say; languages are codes. */
function fromEdition(bundle: EditionBundle | undefined) {
  if (bundle === undefined) return { creators: [], languages: [], subjects: [], publishers: [] };
  const { edition, work } = bundle;
  const date = textOf(edition["publish_date"]);
  const year = YEAR.exec(date ?? "")?.[0];
  return {
    title: editionTitle(edition),
    creators: authorNames(bundle),
    date,
    year: year === undefined ? undefined : Number(year),
    languages: languageCodes(edition),
    subjects: stringsOf((work ?? edition)["subjects"]).slice(0, SUBJECTS_MAX),
    publishers: stringsOf(edition["publishers"]),
  };
}

function authorNames({ edition, work, authors }: EditionBundle): string[] {
  const own = authorsOf(edition["authors"], authors);
  const found = own.length > 0 ? own : authorsOf(work?.["authors"], authors);
  return found.flatMap((author) => textOf(author["name"]) ?? []);
}

function languageCodes({ languages }: CatalogRecord): string[] {
  if (!Array.isArray(languages)) return [];
  return languages.flatMap((language) => keyOf(language)?.replace(LANGUAGES, "") ?? []);
}

/** Without the members that are undefined. */
function definedOf<Members extends object>(
  members: Members,
): {
  readonly [name in keyof Members]?: NonNullable<Members[name]>;
} {
  const known = Object.entries(members).filter(([, value]) => value !== undefined);
  // The members that are left are those of the type.
  return Object.fromEntries(known) as { readonly [name in keyof Members]?: NonNullable<Members[name]> };
}
