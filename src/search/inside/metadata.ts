import { fold } from "../text/collation.ts";

export interface BookMetadata {
  readonly title?: string | undefined;
  readonly creators: readonly string[];
  readonly year?: number | undefined;
  /** English names. */
  readonly languages: readonly string[];
  readonly collections: readonly string[];
  readonly subjects: readonly string[];
  readonly publishers: readonly string[];
  readonly date?: string | undefined;
  readonly mediatype: string;
  readonly downloads?: number | undefined;
}

export const AGGREGATIONS = [
  "top-languages",
  "top-collection",
  "top-mediatype",
  "top-year",
  "top-subject",
  "top-creator",
] as const;

/** Returns a book's values in the aggregations, each one once. */
export function facetValues(
  metadata: BookMetadata,
): Readonly<Record<(typeof AGGREGATIONS)[number], readonly (string | number)[]>> {
  return {
    "top-languages": deduplicate(metadata.languages),
    "top-collection": deduplicate(metadata.collections),
    "top-mediatype": [metadata.mediatype],
    "top-year": metadata.year === undefined ? [] : [metadata.year],
    "top-subject": deduplicate(metadata.subjects),
    "top-creator": deduplicate(metadata.creators),
  };
}

/** Returns the names of a book's languages in the form for comparison. */
export function languageKeys({ languages }: BookMetadata): string[] {
  return deduplicate(languages.map(fold));
}

/** Returns the members `meta_...` of a hit's fields. All values are arrays; unknown members are left out. */
export function metadataFields(metadata: BookMetadata): Record<string, readonly (string | number)[]> {
  const { title, creators, year, languages, collections, subjects, publishers, date } = metadata;
  const fields: [string, readonly (string | number | undefined)[]][] = [
    ["meta_title", [title]],
    ["meta_creator", creators],
    ["meta_year", [year]],
    ["meta_languageSorter", languages],
    ["meta_collection", collections],
    ["meta_subjectSorter", subjects],
    ["meta_publisher", publishers],
    ["meta_date", [date]],
    ["meta_mediatype", [metadata.mediatype]],
    ["meta_downloads", [metadata.downloads]],
  ];
  const fieldsWithValues = fields.map(
    ([name, values]) => [name, values.filter((value) => value !== undefined)] as const,
  );
  return Object.fromEntries(fieldsWithValues.filter(([, values]) => values.length > 0));
}

function deduplicate(values: readonly string[]): string[] {
  return [...new Set(values)];
}
