import { type CatalogRecord, keyOf, textOf } from "../../catalog/record.ts";
import type { Reply } from "../http/reply.ts";
import { form } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { addressOf, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { moment, t } from "../ui/words.ts";

export const LIBRARY_NOTE_LENGTH_MAX = 2000;

interface LibraryNote {
  readonly note: string;
  readonly author?: { readonly key: string } | undefined;
  readonly timestamp: string;
}

export function libraryNotesPage(library: CatalogRecord, notes: readonly LibraryNote[]): Reply {
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
  const items = notes.map(({ note: text, author, timestamp }) => {
    const who = author && link(addressOf(author.key), author.key.split("/").pop());
    const by = who && markup` ${t("history.by", { who })}`;
    return markup`<li><pre>${text}</pre><p class="hint">${timestamp !== "" && moment(timestamp)}${by}</p></li>`;
  });
  const body = markup`<p>${link(addressOf(key), t("library.to", { name }))}</p>
${notes.length === 0 ? markup`<p>${t("library.notes_none")}</p>` : markup`<ul>${items}</ul>`}
<h2>${t("library.note_heading")}</h2>
${form({ action: addressOf(`${key}/notes`), fields: [field], submit: t("library.note_add") })}`;
  return page({ title: t("library.notes_on", { name }), body });
}
