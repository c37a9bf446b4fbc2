import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { latestRecordOf } from "../../catalog/document.ts";
import { type CatalogRecord, type Json, typeKeyOf } from "../../catalog/record.ts";
import { readRecord } from "../../db/records/records.ts";
import { editRecords } from "../editing/edit-records.ts";
import { refuseSpam } from "../editing/save-change.ts";
import { notFound } from "../http/errors.ts";
import { failure } from "../http/failure.ts";
import { catalogReader } from "../http/operation.ts";
import { NO_STORE, REVALIDATE, json, redirect } from "../http/reply.ts";
import { resource } from "../http/views.ts";
import { addressOf } from "../ui/markup.ts";
import { notify } from "../ui/notice.ts";
import { command } from "../ui/command.ts";
import { LIBRARY_NOTE_LENGTH_MAX, libraryNotesPage } from "./notes-page.ts";

const LIBRARY_NOTES_MAX = 500;

const noteAuthor = z.object({ key: z.string() }).optional();
/** Note as stored; editors may have damaged its author and time. */
const storedNote = z.object({
  note: z.string(),
  author: noteAuthor.catch(undefined),
  timestamp: z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]).catch(""),
});

const shownNote = z.object({ note: z.string(), author: noteAuthor, timestamp: z.string() });

const path = { name: z.string().max(200).describe("Last segment of the library's key") };

export const libraryNotes = resource({
  id: "libraryNotes",
  summary: "List the notes on a library",
  tag: "libraries",
  path,
  responses: {
    200: {
      description: "Notes, oldest first",
      schema: z.object({ key: z.string(), notes: z.array(shownNote) }),
      also: ["text/html"],
    },
  },
  async read({ path: { name } }, context) {
    const key = `/libraries/${name}`;
    const row = await readRecord(catalogReader(context), key);
    const library = libraryOf(row === undefined ? undefined : latestRecordOf(row));
    const notes = notesMember(library).flatMap((note) => storedNote.safeParse(note).data ?? []);
    return { key, library, notes };
  },
  asJson: ({ key, notes }) => json({ key, notes }, { cacheControl: REVALIDATE }),
  page: ({ library, notes }) => libraryNotesPage(library, notes),
});

export const addLibraryNote = command({
  id: "addLibraryNote",
  summary: "Add a note on a library",
  tag: "libraries",
  path,
  form: {
    note: z
      .string()
      .transform((text) => text.trim())
      .pipe(z.string().min(1).max(LIBRARY_NOTE_LENGTH_MAX)),
  },
  responses: {
    303: { description: "Note added; redirect to the library" },
    403: { description: "Read-only account" },
    409: { description: "Too many notes" },
  },
  /** Adds a note of the session's patron, who need not be allowed to edit the library. */
  async submit({ path: { name }, form: { note } }, context) {
    const key = `/libraries/${name}`;
    // The service saves the note, so the account and the text are checked here.
    await refuseSpam(context, { documents: [{ note }], comment: null });
    const { key: author } = await context.actor();
    if (author === null) throw new Error("a note has no author");
    const timestamp = { type: "/type/datetime", value: formatDatetime(context.now) };
    await editRecords(context, [key], (records) => {
      const library = libraryOf(records.get(key));
      const notes = notesMember(library);
      if (notes.length >= LIBRARY_NOTES_MAX) {
        throw failure("conflict.library_notes", { most: LIBRARY_NOTES_MAX });
      }
      const document = { ...library, notes: [...notes, { note, author: { key: author }, timestamp }] };
      return { documents: [document], kind: "update", comment: "Added a note", authority: "service", author };
    });
    notify(context, "notice.note_added");
    return redirect(303, addressOf(key), { cacheControl: NO_STORE });
  },
  done: {
    to: ({ path: { name } }) => `/libraries/${encodeURIComponent(name)}/notes`,
    notice: "notice.note_added",
  },
});

function libraryOf(record: CatalogRecord | undefined): CatalogRecord {
  if (record === undefined || typeKeyOf(record) !== "/type/library") throw notFound();
  return record;
}

function notesMember({ notes }: CatalogRecord): readonly Json[] {
  return Array.isArray(notes) ? notes : [];
}
