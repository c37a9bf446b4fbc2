import * as z from "zod";
import { EXPORTS, type ExportType } from "../../../catalog/patrons/exports.ts";

const texts = z.array(z.string());
const number = z.int().nullable();
/** What the members of rows are; all others are texts. */
const MEMBERS: Readonly<Record<string, z.ZodType>> = {
  authors: texts,
  edition_count: number,
  edition_id: z.string().nullable().describe("null: the work as a whole"),
  first_publish_year: number,
  has_ebook: z.boolean(),
  my_ratings: number,
  rating: number,
  ratings_average: z.number().nullable(),
  ratings_count: number,
  subject_people: texts,
  subject_places: texts,
  subject_times: texts,
  subjects: texts,
};

// The keys of an object are its names.
const TYPES = Object.keys(EXPORTS) as ExportType[];

/** Which file. */
export const exportType = z.enum(TYPES).describe("Which file");

/** The rows of a file as JSON. */
export function rowsSchema(type: ExportType): z.ZodType {
  const members = EXPORTS[type].columns.map(([, name]) => [name, MEMBERS[name] ?? z.string()] as const);
  return z.array(z.strictObject(Object.fromEntries(members))).describe(`The rows of \`${type}\``);
}

/** The rows of whatever file it is. */
export const exportSchema = z.union(TYPES.map(rowsSchema));
