/** Sections of what is read for a dump: each line belongs to one, and files are made of whole sections. */
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
] as const;
export type Section = (typeof SECTIONS)[number];

/** A dump of everything, or of the revisions that were made on a day. */
export const DUMP_KINDS = ["full", "delta"] as const;
export type DumpKind = (typeof DUMP_KINDS)[number];

/** Sections of newest revisions: a record stands in exactly one of them. */
const NEWEST = SECTIONS.slice(0, SECTIONS.indexOf("superseded"));

/** Where the newest revision of a record stands, by its type. */
export function sectionOfType(type: string): Section {
  return NEWEST.find((section) => `${type}s` === `/type/${section}`) ?? "other";
}

/** A file of a dump: what its name begins with, and what it is made of. */
export interface FilePart {
  readonly stem: string;
  readonly sections: readonly Section[];
}

const FULL_FILES: readonly FilePart[] = [
  { stem: "ol_dump", sections: NEWEST },
  ...NEWEST.map((section) => ({ stem: `ol_dump_${section}`, sections: [section] })),
  { stem: "ol_dump_ratings", sections: ["ratings"] },
  { stem: "ol_dump_reading-log", sections: ["reading-log"] },
  { stem: "ol_dump_covers_metadata", sections: ["covers_metadata"] },
  // Q422: newest revisions stand apart from the superseded ones.
  { stem: "ol_cdump", sections: [...NEWEST, "superseded"] },
];

/** The files that each kind of dump consists of, in the order in which they are made. */
export const FILES: Readonly<Record<DumpKind, readonly FilePart[]>> = {
  full: FULL_FILES,
  delta: [{ stem: "ol_delta", sections: ["changes"] }],
};

/** Folder of the files of a dump, without a slash at its end. */
export function folderOf(kind: DumpKind, date: string): string {
  return `${kind === "full" ? "ol_dump" : "ol_delta"}_${date}`;
}

/** Name of a file of the dump of a date. */
export function fileName({ stem }: Pick<FilePart, "stem">, date: string): string {
  return `${stem}_${date}.txt.gz`;
}

const NAME = /^(ol_[a-z_-]{1,40})_(latest|\d{4}-\d\d-\d\d)\.txt\.gz$/;

/** Reads the name of a file, of a date or of `latest`; undefined for what is never made. */
export function parseFileName(
  name: string,
): { readonly kind: DumpKind; readonly stem: string; readonly date: string } | undefined {
  const [, stem = "", date = ""] = NAME.exec(name) ?? [];
  const kind = DUMP_KINDS.find((one) => FILES[one].some((file) => file.stem === stem));
  return kind === undefined ? undefined : { kind, stem, date };
}
