import { readMarc } from "../../import/marc/binary.ts";
import {
  type MarcField,
  type MarcRecord,
  MARC_LENGTH_MAX,
  MarcError,
  readStatedLength,
} from "../../import/marc/record.ts";
import type { ItemSource } from "../platform/item.ts";
import type { BulkPlace } from "./item-marc.ts";
import { olidOfKey } from "../../catalog/keys.ts";
import type { Reply } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { type Markup, addressOf, markup } from "../ui/markup.ts";
import { dots, link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { t } from "../ui/words.ts";

export type ShownRecord =
  | {
      readonly kind: "record";
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly marc: MarcRecord | undefined;
    }
  | { readonly kind: "moved"; readonly length: number }
  | { readonly kind: "unreadable" | "missing" };

export async function readItemFile(source: ItemSource, id: string): Promise<ShownRecord> {
  const bytes = await source.file(id, `${id}_meta.mrc`);
  if (bytes === undefined) return { kind: "missing" };
  return readStatedLength(bytes) === undefined ? { kind: "unreadable" } : toShownRecord(bytes);
}

export async function readShownRecord(source: ItemSource, place: BulkPlace): Promise<ShownRecord> {
  const { item, file, offset, length } = place;
  const bytes = await source.range(item, file, { offset, length: MARC_LENGTH_MAX });
  const stated = bytes === undefined ? undefined : readStatedLength(bytes);
  if (bytes === undefined) return { kind: "missing" };
  if (stated === undefined || stated === 0) return { kind: "unreadable" };
  if (stated !== length) return { kind: "moved", length: stated };
  return toShownRecord(bytes.subarray(0, length));
}

async function toShownRecord(bytes: Uint8Array<ArrayBuffer>): Promise<ShownRecord> {
  try {
    return { kind: "record", bytes, marc: await readMarc(bytes) };
  } catch (error) {
    if (error instanceof MarcError) return { kind: "record", bytes, marc: undefined };
    throw error;
  }
}

export function toMarcJson({ leader, fields }: MarcRecord) {
  return { leader, fields: fields.map((field) => ({ [field.tag]: toFieldJson(field) })) };
}

/** Q301: an unreadable field becomes null and does not prevent the other fields from being shown. */
function toFieldJson(field: MarcField) {
  try {
    if ("value" in field) return field.value;
    const { ind1, ind2, subfields } = field;
    return { ind1, ind2, subfields: subfields.map(([code, value]) => ({ [code]: value })) };
  } catch (error) {
    if (error instanceof MarcError) return null;
    throw error;
  }
}

interface MarcPage {
  readonly name: string;
  readonly marc: MarcRecord | undefined;
  readonly editions: readonly string[];
  readonly raw: string;
  readonly next?: string;
}

const ESCAPE = "\u001b";

export function marcPage({ name, marc, editions, raw, next }: MarcPage): Reply {
  const body = markup`<p>${dots([link(raw, t("marc.as_it_is")), next !== undefined && link(next, t("marc.next"))])}</p>
${bookList(editions)}
${marc === undefined ? markup`<p>${t("marc.invalid")}</p>` : recordTable(marc)}`;
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

function recordTable({ leader, fields }: MarcRecord): Markup {
  return table({
    caption: t("marc.fields"),
    columns: [t("marc.tag"), t("marc.indicators"), t("marc.content")],
    rows: [["LDR", "", markup`<code>${leader}</code>`], ...fields.map(fieldRow)],
  });
}

type Row = [tag: string, indicators: string | Markup, content: Markup];

/** Q301: an unreadable field does not prevent the other fields from being shown. */
function fieldRow(field: MarcField): Row {
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
