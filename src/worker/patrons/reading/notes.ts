import { KIB } from "../../../catalog/units.ts";
import * as z from "zod";
import { utf8Length } from "../../../catalog/bytes.ts";
import { chargeBytes } from "../../editing/byte-budget.ts";
import { operation } from "../../http/operation.ts";
import { privateJson } from "../../http/reply.ts";
import {
  backField,
  editionField,
  editionKey,
  optionalField,
  ownChange,
  parseEdition,
  requireOwner,
  valueError,
  workPath,
} from "./own-data.ts";

const entry = z.object({ edition_key: z.string().nullable(), notes: z.string() });

export const ownNotes = operation({
  id: "ownNotes",
  summary: "List your notes on a work and its editions",
  tag: "reading",
  path: workPath,
  responses: {
    200: { description: "Note on the work itself first", schema: z.object({ entries: z.array(entry) }) },
  },
  async handle({ path: { work_id: work } }, context) {
    const { patron } = await requireOwner(context);
    const notes = await patron.notes.of(work);
    const entries = notes.map(({ edition, text }) => {
      return { edition_key: editionKey(context, edition), notes: text };
    });
    return privateJson({ entries });
  },
});

const NOTE_BYTES = 64 * KIB;
/** Longest note that a page accepts, in UTF-16 units: each takes three bytes at most, so that no note is refused. */
export const NOTE_LENGTH = Math.floor(NOTE_BYTES / 3);
/** Largest form with a note, in bytes: a byte of the text can take three of a form. */
const NOTE_BODY_BYTES = 3 * NOTE_BYTES + 4096;

export const keepNote = ownChange({
  id: "keepNote",
  summary: "Save or delete a note on a work or edition",
  path: workPath,
  form: {
    notes: z.string().optional().describe("Text of the note; absent to delete it"),
    edition_id: optionalField(editionField()),
    redir_url: backField,
  },
  bodyBytes: NOTE_BODY_BYTES,
  responses: { 200: { description: "Note saved or deleted", schema: z.object({ success: z.string() }) } },
  async submit({ path: { work_id: work }, form }, { patron, use, session }, context) {
    const { notes: text = "", edition_id: olid } = form;
    const bytes = utf8Length(text);
    if (bytes > NOTE_BYTES) {
      throw valueError(["body", "notes"], { key: "validation.note_bytes", values: { most: NOTE_BYTES } });
    }
    const edition = parseEdition(context, "edition_id", olid) ?? null;
    await chargeBytes(context, session, bytes);
    await patron.notes.set({ work, edition, text, now: context.now }, use);
    return text === ""
      ? { json: { success: "removed note" }, words: "notice.note_deleted" }
      : { json: { success: "note added" }, words: "notice.note_kept" };
  },
});
