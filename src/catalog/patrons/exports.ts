/** Files by type, with their columns. Programs look for these names, in their odd spellings. */
export const EXPORTS = {
  reading_log: {
    file: "OpenLibrary_ReadingLog.csv",
    columns: [
      "Work ID",
      "Title",
      "Authors",
      "First Publish Year",
      "Edition ID",
      "Edition Count",
      "Bookshelf",
      "My Ratings",
      "Ratings Average",
      "Ratings Count",
      "Has Ebook",
      "Subjects",
      "Subject People",
      "Subject Places",
      "Subject Times",
    ],
  },
  book_notes: { file: "OpenLibrary_BookNotes.csv", columns: ["Work ID", "Edition ID", "Note", "Created On"] },
  reviews: {
    file: "OpenLibrary_Reviews.csv",
    columns: ["Work ID", "Review Category", "Review Value", "Created On"],
  },
  lists: {
    file: "Openlibrary_ListOverview.csv",
    columns: ["List ID", "List Name", "List Description", "Entry", "Created On", "Last Updated"],
  },
  ratings: {
    file: "OpenLibrary_Ratings.csv",
    columns: ["Work ID", "Edition ID", "Title", "Author(s)", "Rating", "Created On"],
  },
  check_ins: {
    file: "OpenLibrary_CheckIns.csv",
    columns: ["Work ID", "Edition ID", "Event", "Date", "Created On"],
  },
  progress: {
    file: "Progress.csv",
    columns: ["Document", "Title", "Authors", "Work ID", "Percentage", "Progress", "Device", "Updated On"],
  },
  // Columns of Goodreads, which other services import, and behind them what those lack.
  library: {
    file: "Library.csv",
    columns: [
      "Book Id",
      "Title",
      "Author",
      "Additional Authors",
      "ISBN",
      "ISBN13",
      "My Rating",
      "Date Read",
      "Date Added",
      "Bookshelves",
      "Exclusive Shelf",
      "My Review",
      "Private Notes",
      "Read Count",
      "Owned Copies",
      "Work ID",
      "Edition ID",
      "Readings",
      "Lists",
      "Observations",
    ],
  },
} as const;

export type ExportType = keyof typeof EXPORTS;

export function memberNameOf(column: string): string {
  return column.toLowerCase().replaceAll(/[()]/g, "").replaceAll(" ", "_");
}

/** Value of a row; several are joined in CSV. */
export type ExportValue = string | number | boolean | null | readonly string[];

export type ExportRow = readonly ExportValue[];

const JOINED = " | ";

export function toCsvValue(value: ExportValue): string | number | null {
  if (typeof value === "object" && value !== null) return value.join(JOINED);
  return typeof value === "boolean" ? (value ? "True" : "False") : value;
}

export function formatExportTime(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace("T", " ");
}
