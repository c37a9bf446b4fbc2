import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { latestRecordOf } from "../../catalog/document.ts";
import { type CatalogRecord, type Json, keyOf, textOf, typeKeyOf } from "../../catalog/record.ts";
import { readRecord } from "../../db/records/records.ts";
import { isForPeople } from "../http/accept.ts";
import { editRecords } from "../editing/edit-records.ts";
import { refuseSpam } from "../editing/save-change.ts";
import { notFound } from "../http/errors.ts";
import { failure } from "../http/failure.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { type Reply, NO_STORE, REVALIDATE, json, redirect } from "../http/reply.ts";
import { form } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, addressOf, markup } from "../ui/markup.ts";
import { notify } from "../ui/notice.ts";
import { link } from "../ui/parts.ts";
import { moment, t } from "../ui/words.ts";

const LIBRARY_NOTES_MAX = 500;
const LIBRARY_NOTE_LENGTH_MAX = 2000;

const noteAuthor = z.object({ key: z.string() }).optional();
/** Note as stored; editors may have damaged its author and time. */
const storedNote = z.object({
  note: z.string(),
  author: noteAuthor.catch(undefined),
  timestamp: z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]).catch(""),
});

const shownNote = z.object({ note: z.string(), author: noteAuthor, timestamp: z.string() });

const path = { name: z.string().max(200).describe("Last segment of the library's key") };

export const libraryNotes = operation({
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
  async handle({ path: { name } }, context) {
    const key = `/libraries/${name}`;
    const row = await readRecord(catalogReader(context), key);
    const library = libraryOf(row === undefined ? undefined : latestRecordOf(row));
    const notes = notesOf(library);
    if (isForPeople(context)) return notesPage(library, notes);
    return json({ key, notes }, { cacheControl: REVALIDATE, headers: { Vary: "Accept" } });
  },
});

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
    303: { description: "Note added; redirect to the library" },
    403: { description: "Read-only account" },
    409: { description: "Too many notes" },
  },
  async handle({ path: { name }, form: { note: text } }, context) {
    const key = `/libraries/${name}`;
    await addNote(context, key, text);
    notify(context, "notice.note_added");
    return redirect(303, addressOf(key), { cacheControl: NO_STORE });
  },
});

type LibraryNote = z.output<typeof storedNote>;

/** Adds a note of the session's patron, who need not be allowed to edit the library. Throws 403, 404 and 409. */
async function addNote(context: RequestContext, key: string, text: string): Promise<void> {
  // The service saves the note, so the account and the text are checked here.
  await refuseSpam(context, { documents: [{ note: text }], comment: null });
  const { key: author } = await context.actor();
  if (author === null) throw new Error("a note by nobody");
  const timestamp = { type: "/type/datetime", value: formatDatetime(context.now) };
  await editRecords(context, [key], (records) => {
    const library = libraryOf(records.get(key));
    const notes = notesMember(library);
    if (notes.length >= LIBRARY_NOTES_MAX) {
      throw failure("conflict.library_notes", { most: LIBRARY_NOTES_MAX });
    }
    const document = { ...library, notes: [...notes, { note: text, author: { key: author }, timestamp }] };
    return { documents: [document], kind: "update", comment: "Added a note", authority: "service", author };
  });
}

function notesOf(library: CatalogRecord): LibraryNote[] {
  return notesMember(library).flatMap((value) => {
    const parsed = storedNote.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
}

function libraryOf(record: CatalogRecord | undefined): CatalogRecord {
  if (record === undefined || typeKeyOf(record) !== "/type/library") throw notFound();
  return record;
}

function notesMember({ notes }: CatalogRecord): readonly Json[] {
  return Array.isArray(notes) ? notes : [];
}

function notesPage(library: CatalogRecord, notes: readonly LibraryNote[]): Reply {
  const key = keyOf(library) ?? "";
  const name = textOf(library["name"]) || key;
  const field = {
    name: "note",
    label: t("library.note"),
    type: "textarea",
    required: true,
    maxlength: LIBRARY_NOTE_LENGTH_MAX,
    hint: t("library.note_hint"),
  } as const;
  const body = markup`<p>${link(addressOf(key), t("library.to", { name }))}</p>
${notes.length === 0 ? markup`<p>${t("library.notes_none")}</p>` : markup`<ul>${notes.map(noteItem)}</ul>`}
<h2>${t("library.note_heading")}</h2>
${form({ action: addressOf(`${key}/notes`), fields: [field], submit: t("library.note_add") })}`;
  return page({ title: t("library.notes_on", { name }), body });
}

function noteItem({ note: text, author, timestamp }: LibraryNote): Markup {
  const by =
    author === undefined
      ? undefined
      : markup` ${t("history.by", { who: link(addressOf(author.key), author.key.split("/").pop()) })}`;
  return markup`<li><pre>${text}</pre><p class="hint">${timestamp !== "" && moment(timestamp)}${by}</p></li>`;
}
