import { SHELVES, type ShelfId } from "./shelves.ts";

/** How a dump says that there is nothing. */
const NULL = "\\N";

interface Dumped {
  readonly work: number;
  readonly edition: number | null;
  /** `YYYY-MM-DD` */
  readonly date: string;
}

/** A line of the published reading log (patrons.md 18), without its end. `prefix` is that of record numbers. */
export function readingLogLine(row: Dumped & { readonly shelf: ShelfId }, prefix: string): string {
  const name = SHELVES.find(({ id }) => id === row.shelf)?.name ?? "";
  return [...keysOf(row, prefix), name, row.date].join("\t");
}

/** A line of the published ratings (patrons.md 18), without its end. */
export function ratingLine(row: Dumped & { readonly stars: number }, prefix: string): string {
  return [...keysOf(row, prefix), row.stars, row.date].join("\t");
}

function keysOf({ work, edition }: Dumped, prefix: string): [string, string] {
  return [`/works/${prefix}${work}W`, edition === null ? NULL : `/books/${prefix}${edition}M`];
}
