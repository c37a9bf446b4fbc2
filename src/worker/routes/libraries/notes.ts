import * as z from "zod";
import { latestRecord } from "../../../catalog/document.ts";
import { readRecord } from "../../../db/records/read-record.ts";
import { isForPeople } from "../../admin/done.ts";
import { catalogReader } from "../../context.ts";
import { LIBRARY_NOTE_LENGTH_MAX, addNote, libraryOf, notesOf } from "../../libraries/notes.ts";
import { operation } from "../../operation.ts";
import { addressOf } from "../../pages/address.ts";
import { notesPage } from "../../pages/libraries/notes-page.ts";
import { NO_STORE, REVALIDATE, json, redirect } from "../../reply.ts";

const path = { name: z.string().max(200).describe("Last part of the library's key") };
const noSuch = { description: "No such library" };

/** `GET /libraries/<name>/notes[.json]`: what patrons have noted on a library, and the form for one more. */
export const libraryNotes = operation({
  id: "libraryNotes",
  summary: "Notes on a library",
  tag: "libraries",
  path,
  responses: {
    200: {
      description: "The oldest first",
      schema: z.object({
        key: z.string(),
        notes: z.array(
          z.object({
            note: z.string(),
            author: z.object({ key: z.string() }).optional(),
            timestamp: z.string(),
          }),
        ),
      }),
      also: ["text/html"],
    },
    404: noSuch,
  },
  async handle({ path: { name } }, context) {
    const key = `/libraries/${name}`;
    const row = await readRecord(catalogReader(context), key);
    const library = libraryOf(row === undefined ? undefined : latestRecord(row));
    const notes = notesOf(library);
    if (isForPeople(context)) return notesPage(library, notes);
    return json({ key, notes }, { cacheControl: REVALIDATE, headers: { Vary: "Accept" } });
  },
});

/** `POST /libraries/<name>/notes`: adds a note (lookup.md 17.3). */
export const addLibraryNote = operation({
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
    303: { description: "Added: to the library" },
    403: { description: "This account may not write" },
    404: noSuch,
    409: { description: "There are too many" },
  },
  async handle({ path: { name }, form: { note } }, context) {
    const key = `/libraries/${name}`;
    await addNote(context, key, note);
    return redirect(303, addressOf(key), { cacheControl: NO_STORE });
  },
});
