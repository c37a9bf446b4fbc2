/** A column: as the CSV names it, and as JSON does. */
type ExportColumn = readonly [title: string, name: string];

/** A file that a patron takes along. */
interface ExportFile {
  readonly file: string;
  readonly columns: readonly ExportColumn[];
}

/** The files by their type. The names are those that programs look for, in their odd spellings. */
export const EXPORTS = {
  reading_log: {
    file: "OpenLibrary_ReadingLog.csv",
    columns: [
      ["Work ID", "work_id"],
      ["Title", "title"],
      ["Authors", "authors"],
      ["First Publish Year", "first_publish_year"],
      ["Edition ID", "edition_id"],
      ["Edition Count", "edition_count"],
      ["Bookshelf", "bookshelf"],
      ["My Ratings", "my_ratings"],
      ["Ratings Average", "ratings_average"],
      ["Ratings Count", "ratings_count"],
      ["Has Ebook", "has_ebook"],
      ["Subjects", "subjects"],
      ["Subject People", "subject_people"],
      ["Subject Places", "subject_places"],
      ["Subject Times", "subject_times"],
    ],
  },
  book_notes: {
    file: "OpenLibrary_BookNotes.csv",
    columns: [
      ["Work ID", "work_id"],
      ["Edition ID", "edition_id"],
      ["Note", "note"],
      ["Created On", "created_on"],
    ],
  },
  reviews: {
    file: "OpenLibrary_Reviews.csv",
    columns: [
      ["Work ID", "work_id"],
      ["Review Category", "review_category"],
      ["Review Value", "review_value"],
      ["Created On", "created_on"],
    ],
  },
  lists: {
    file: "Openlibrary_ListOverview.csv",
    columns: [
      ["List ID", "list_id"],
      ["List Name", "list_name"],
      ["List Description", "list_description"],
      ["Entry", "entry"],
      ["Created On", "created_on"],
      ["Last Updated", "last_updated"],
    ],
  },
  ratings: {
    file: "OpenLibrary_Ratings.csv",
    columns: [
      ["Work ID", "work_id"],
      ["Edition ID", "edition_id"],
      ["Title", "title"],
      ["Author(s)", "authors"],
      ["Rating", "rating"],
      ["Created On", "created_on"],
    ],
  },
  check_ins: {
    file: "OpenLibrary_CheckIns.csv",
    columns: [
      ["Work ID", "work_id"],
      ["Edition ID", "edition_id"],
      ["Event", "event"],
      ["Date", "date"],
      ["Created On", "created_on"],
    ],
  },
} as const satisfies Readonly<Record<string, ExportFile>>;

/** Which file. */
export type ExportType = keyof typeof EXPORTS;

/** A value of a row; several are joined in CSV. */
export type ExportValue = string | number | boolean | null | readonly string[];

/** A row, with one value for each column. */
export type ExportRow = readonly ExportValue[];

/** How CSV joins several values. */
const JOINED = " | ";

/** A value as a field of CSV. */
export function csvValue(value: ExportValue): string | number | null {
  if (typeof value === "object" && value !== null) return value.join(JOINED);
  return typeof value === "boolean" ? (value ? "True" : "False") : value;
}

/** A time as CSV has it, `YYYY-MM-DD HH:MM:SS`; milliseconds since the epoch. */
export function exportTime(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace("T", " ");
}
