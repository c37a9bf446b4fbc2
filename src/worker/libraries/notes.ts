import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { type CatalogRecord, type Json, typeKey } from "../../catalog/record.ts";
import type { RequestContext } from "../context.ts";
import { CarrelError, notFound } from "../errors.ts";
import { editRecords } from "../writes/edit.ts";
import { refuseSpam } from "../writes/spam.ts";

/** Notes on one library. */
export const LIBRARY_NOTES_MAX = 500;
/** Longest note, in characters. */
export const LIBRARY_NOTE_LENGTH_MAX = 2000;

const note = z.object({
  note: z.string(),
  author: z.object({ key: z.string() }).optional().catch(undefined),
  timestamp: z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]).catch(""),
});
export type LibraryNote = z.output<typeof note>;

/** Adds a note of the session's patron to a library, whoever may edit its record. Throws 403, 404 and 409. */
export async function addNote(context: RequestContext, key: string, text: string): Promise<void> {
  // The service writes for the patron, so it is looked at here who he is and what he says.
  await refuseSpam(context, { documents: [{ note: text }], comment: null });
  const { key: author } = await context.actor();
  if (author === null) throw new Error("a note by nobody");
  const timestamp = { type: "/type/datetime", value: datetimeText(context.now) };
  await editRecords(context, [key], (records) => {
    const library = libraryOf(records.get(key));
    const notes = notesMember(library);
    if (notes.length >= LIBRARY_NOTES_MAX) throw tooMany();
    const added = { ...library, notes: [...notes, { note: text, author: { key: author }, timestamp }] };
    return { documents: [added], kind: "update", comment: "Added a note", authority: "service", author };
  });
}

/** The notes on a library, the oldest first; what is none is left out. */
export function notesOf(library: CatalogRecord): LibraryNote[] {
  return notesMember(library).flatMap((one) => {
    const parsed = note.safeParse(one);
    return parsed.success ? [parsed.data] : [];
  });
}

/** The record if it is of a library. Throws a 404. */
export function libraryOf(record: CatalogRecord | undefined): CatalogRecord {
  if (record === undefined || typeKey(record) !== "/type/library") throw notFound();
  return record;
}

function notesMember({ notes }: CatalogRecord): readonly Json[] {
  return Array.isArray(notes) ? notes : [];
}

function tooMany(): CarrelError {
  return new CarrelError(409, "conflict", { message: `A library has at most ${LIBRARY_NOTES_MAX} notes.` });
}
