import { languageNames } from "../../catalog/language.ts";
import { type CatalogRecord, isObject, stringsOf, textOf, typeKey } from "../../catalog/record.ts";
import { subjectKey } from "../../search/documents/subject-key.ts";
import { subjectPageKey } from "../../search/present/subjects.ts";
import { nameAddress } from "../search/result-parts.ts";
import { factList } from "../ui/facts.ts";
import { type Markup, type Piece, addressOf, markup } from "../ui/markup.ts";
import { commas, link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { prose, valueMarkup } from "../ui/values.ts";
import type { RecordView } from "./record-page.ts";
import { say } from "../ui/words.ts";

/** Members of every record, which the page shows elsewhere. */
const ENVELOPE = new Set(["key", "type", "revision", "latest_revision", "created", "last_modified", "id"]);
const TEXT_TYPES = new Set(["/type/page", "/type/doc", "/type/content", "/type/home"]);
const SUBJECT_TYPES = ["subject", "person", "place", "time"] as const;

export function otherBody({ record }: RecordView): Markup {
  switch (typeKey(record)) {
    case "/type/language":
      return languageBody(record);
    case "/type/tag":
      return markup`${tagLink(record)}${members(record)}`;
    default:
      return TEXT_TYPES.has(typeKey(record) ?? "")
        ? markup`${prose(textOf(record["body"]))}${members(record, ["title", "body"])}`
        : members(record);
  }
}

function members(record: CatalogRecord, excluded: readonly string[] = []): Markup {
  const names = Object.keys(record).filter((name) => !ENVELOPE.has(name) && !excluded.includes(name));
  const type = typeKey(record) ?? "";
  return markup`<p>${say("record.of_type", { type: link(addressOf(type), type) })}</p>
${
  names.length > 0 &&
  table({
    caption: say("record.members"),
    columns: [say("search.name"), say("record.value")],
    rows: names.map((name): Piece[] => [name, valueMarkup(record[name])]),
  })
}`;
}

function languageBody(record: CatalogRecord): Markup {
  const code = textOf(record["code"]) ?? textOf(record["key"])?.slice("/languages/".length) ?? "";
  const { native } = languageNames(code, record, "en");
  const translated = isObject(record["name_translated"]) ? Object.entries(record["name_translated"]) : [];
  return markup`${factList([
    [say("language.marc"), code],
    [say("language.native"), native],
    [say("language.deprecated"), record["deprecated"] === true && say("record.yes")],
    [say("language.replaced"), valueMarkup(record["current"])],
  ])}
<p>${link(`/search?${new URLSearchParams({ language: code })}`, say("language.books"))}
${link("/languages", say("language.all"))}</p>
${
  translated.length > 0 &&
  table({
    caption: say("language.names"),
    columns: [say("layout.language"), say("search.name")],
    rows: translated.map(([language, names]): Piece[] => [language, commas(stringsOf(names))]),
  })
}`;
}

function tagLink(record: CatalogRecord): Markup | undefined {
  const name = textOf(record["name"]) ?? "";
  const subjectType = SUBJECT_TYPES.find((type) => type === textOf(record["tag_type"]));
  if (subjectType === undefined || subjectKey(name) === "") return undefined;
  return markup`<p>${link(nameAddress(subjectPageKey(subjectType, name)), say("subject.books_about", { name }))}</p>`;
}
