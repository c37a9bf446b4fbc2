/** Sections of a dump: each line belongs to one, and each file consists of whole sections. */
export const SECTIONS = [
  "editions",
  "works",
  "authors",
  "redirects",
  "deletes",
  "lists",
  "other",
  "superseded",
  "ratings",
  "reading-log",
  "covers_metadata",
  "changes",
  "editions.parquet",
  "works.parquet",
  "authors.parquet",
] as const;
export type Section = (typeof SECTIONS)[number];

/** Kinds of dumps: all records, or the revisions of one day. */
export const DUMP_KINDS = ["full", "delta"] as const;
export type DumpKind = (typeof DUMP_KINDS)[number];

const NEWEST = SECTIONS.slice(0, SECTIONS.indexOf("superseded"));

export function sectionOfType(type: string): Section {
  return NEWEST.find((section) => `${type}s` === `/type/${section}`) ?? "other";
}

type Suffix = "txt.gz" | "parquet";

/** Tables of a full dump, each built from the section of its name. */
export const TABLE_SECTIONS = ["editions", "works", "authors"] as const;

export interface FilePart {
  readonly stem: string;
  readonly suffix: Suffix;
  readonly sections: readonly Section[];
}

const toLinesFile = (stem: string, ...sections: Section[]): FilePart => ({
  stem,
  suffix: "txt.gz",
  sections,
});

const FULL_FILES: readonly FilePart[] = [
  toLinesFile("ol_dump", ...NEWEST),
  // Q685: one of them has the redirects.
  ...NEWEST.map((section) => toLinesFile(`ol_dump_${section}`, section)),
  toLinesFile("ol_dump_ratings", "ratings"),
  toLinesFile("ol_dump_reading-log", "reading-log"),
  toLinesFile("ol_dump_covers_metadata", "covers_metadata"),
  // Q422: newest revisions stand apart from the superseded ones.
  toLinesFile("ol_cdump", ...NEWEST, "superseded"),
  ...TABLE_SECTIONS.map((table): FilePart => ({
    stem: `ol_dump_${table}`,
    suffix: "parquet",
    sections: [`${table}.parquet`],
  })),
];

export const FILES: Readonly<Record<DumpKind, readonly FilePart[]>> = {
  full: FULL_FILES,
  delta: [toLinesFile("ol_delta", "changes")],
};

/** Returns the folder of a dump's files, without a trailing slash. */
export function dumpFolderOf(kind: DumpKind, date: string): string {
  return `${kind === "full" ? "ol_dump" : "ol_delta"}_${date}`;
}

export function fileNameOf({ stem, suffix }: Pick<FilePart, "stem" | "suffix">, date: string): string {
  return `${stem}_${date}.${suffix}`;
}

const NAME = /^(ol_[a-z_-]{1,40})_(latest|\d{4}-\d\d-\d\d)\.([a-z.]{1,10})$/;

/** Parses a file name with a date or `latest`. Returns undefined for names of files that no dump has. */
export function parseFileName(
  name: string,
): { readonly kind: DumpKind; readonly part: FilePart; readonly date: string } | undefined {
  const [, stem = "", date = "", suffix = ""] = NAME.exec(name) ?? [];
  for (const kind of DUMP_KINDS) {
    const part = FILES[kind].find((file) => file.stem === stem && file.suffix === suffix);
    if (part !== undefined) return { kind, part, date };
  }
  return undefined;
}
