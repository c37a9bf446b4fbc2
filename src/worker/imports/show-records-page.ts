import { olidOfKey } from "../../catalog/keys.ts";
import { type MarcField, type MarcRecord, MarcError } from "../../import/marc/record.ts";
import type { Reply } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { type Markup, addressOf, markup } from "../ui/markup.ts";
import { dots, link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { t } from "../ui/words.ts";

interface MarcPage {
  readonly name: string;
  readonly marc: MarcRecord | undefined;
  readonly editions: readonly string[];
  readonly raw: string;
  readonly next: string | undefined;
}

const ESCAPE = "\u001b";

export function marcPage({ name, marc, editions, raw, next }: MarcPage): Reply {
  const record =
    marc &&
    table({
      caption: t("marc.fields"),
      columns: [t("marc.tag"), t("marc.indicators"), t("marc.content")],
      rows: [["LDR", "", markup`<code>${marc.leader}</code>`], ...marc.fields.map(fieldRow)],
    });
  const body = markup`<p>${dots([link(raw, t("marc.as_it_is")), next !== undefined && link(next, t("marc.next"))])}</p>
${bookList(editions)}
${record ?? markup`<p>${t("marc.invalid")}</p>`}`;
  return page({ title: t("marc.title"), heading: markup`${t("marc.title")} <code>${name}</code>`, body });
}

export function sourcePage(name: string, address: string, editions: readonly string[]): Reply {
  const body = markup`<p>${t("marc.elsewhere", { address: link(address, address) })}</p>
${bookList(editions)}`;
  return page({ title: t("marc.source", { name }), body });
}

function bookList(editions: readonly string[]): Markup {
  if (editions.length === 0) return markup`<p>${t("marc.no_books")}</p>`;
  const items = editions.map(
    (key) => markup`<li>${link(addressOf(key), t("marc.book", { id: olidOfKey(key) }))}</li>`,
  );
  return markup`<h2>${t("marc.books")}</h2>
<ul>${items}</ul>`;
}

/** Q301: an unreadable field does not prevent the other fields from being shown. */
function fieldRow(field: MarcField): [tag: string, indicators: string | Markup, content: Markup] {
  try {
    if ("value" in field) return [field.tag, "", visibleText(field.value)];
    const { tag, ind1, ind2, subfields } = field;
    const content = subfields.map(([code, value]) => markup`<b>$${code}</b> ${visibleText(value)} `);
    return [tag, markup`<code>${ind1}${ind2}</code>`, markup`${content}`];
  } catch (error) {
    if (!(error instanceof MarcError)) throw error;
    return [field.tag, "", markup`<em>${t("marc.unreadable", { why: error.message })}</em>`];
  }
}

function visibleText(text: string): Markup {
  const lines = text.replaceAll(ESCAPE, "[esc]").split("\n");
  return markup`${lines.map((line, index) => markup`${index > 0 && markup`<br>`}${line}`)}`;
}
