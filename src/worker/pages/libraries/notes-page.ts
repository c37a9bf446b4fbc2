import { type CatalogRecord, keyOf, textOf } from "../../../catalog/record.ts";
import { LIBRARY_NOTE_LENGTH_MAX, type LibraryNote } from "../../libraries/notes.ts";
import type { Reply } from "../../reply.ts";
import { addressOf } from "../address.ts";
import { form } from "../forms.ts";
import { page } from "../layout.ts";
import { type Markup, markup } from "../markup.ts";
import { link, moment } from "../parts.ts";

/** What patrons have noted on a library, and the form for one more. */
export function notesPage(library: CatalogRecord, notes: readonly LibraryNote[]): Reply {
  const key = keyOf(library) ?? "";
  const name = textOf(library["name"]) || key;
  const field = {
    name: "note",
    label: "Your note",
    type: "textarea",
    required: true,
    maxlength: LIBRARY_NOTE_LENGTH_MAX,
    hint: "Everybody can read it, with your name. You have to be logged in.",
  } as const;
  const body = markup`<p>${link(addressOf(key), `To ${name}`)}</p>
${notes.length === 0 ? markup`<p>There are no notes yet.</p>` : markup`<ul>${notes.map(noteItem)}</ul>`}
<h2>Add a note</h2>
${form({ action: addressOf(`${key}/notes`), fields: [field], submit: "Add the note" })}`;
  return page({ title: `Notes on ${name}`, body });
}

function noteItem({ note, author, timestamp }: LibraryNote): Markup {
  const by =
    author === undefined
      ? undefined
      : markup` by ${link(addressOf(author.key), author.key.split("/").pop())}`;
  return markup`<li><pre>${note}</pre><p class="hint">${timestamp !== "" && moment(timestamp)}${by}</p></li>`;
}
