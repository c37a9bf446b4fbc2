import { richText } from "../ui/rich-text.ts";
import { idOfKey } from "../../catalog/key-numbers.ts";
import { type CatalogRecord, isObject, stringsOf, textOf, typeKeyOf } from "../../catalog/record.ts";
import { hasRole } from "../../catalog/roles.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import type { WorkState } from "../../durable/patron/pages.ts";
import { formatSignposts } from "../../export/heads.ts";
import { type RequestContext, baseUrl } from "../http/operation.ts";
import { type Reply, REVALIDATE } from "../http/reply.ts";
import { optionalSession, patronOf } from "../http/session.ts";
import { apiCall } from "../ui/api-call.ts";
import { type Page, page } from "../ui/layout.ts";
import { type Markup, type Piece, addressOf, langAttribute, markup } from "../ui/markup.ts";
import type { PartPlace } from "../ui/pager.ts";
import { link, commas } from "../ui/parts.ts";
import { moment, t, dayOf } from "../ui/words.ts";
import { isoLanguageOf } from "../../catalog/language.ts";
import { languageNamesOf } from "../../catalog/language-names.ts";
import { subjectKeyOf } from "../../search/documents/subject-key.ts";
import { subjectPageKeyOf } from "../../search/present/subjects.ts";
import { nameAddressOf } from "../search/result-parts.ts";
import { factList } from "../ui/facts.ts";
import { table } from "../ui/table.ts";
import { valueMarkup } from "../ui/values.ts";

/**
 * Writes the page of a record: the content of its kind, and the parts common to all. All clients without a session get
 * the same page, which may be cached like the JSON of the record; pages with the reader's own data are never cached.
 */
export function recordPage(
  { row, record, address: path }: RecordView,
  { links = [], shownRevisions = [], isVolatile = false, body, ...more }: RecordContent,
  context: RequestContext,
): Reply {
  const { key, revision, latest, lastModified } = row;
  const { RECORD_PREFIX: prefix, RECORDS_LICENSE_URL: license } = context.settings;
  const isCatalog = idOfKey(key, prefix) !== undefined;
  const address = addressOf(key);
  const forms = [link(`${address}.json`, "JSON"), " ", link(`${address}.yml`, "YAML")];
  if (isCatalog) forms.push(" ", link(`${address}.rdf`, "RDF"));
  const items: Piece[] = [
    isCatalog && editLink(row),
    ...links,
    link(`${address}?m=history`, t("record.history", { count: latest })),
    t("record.as_data", { forms }),
  ];
  const presentItems = items.filter((item) => item !== false && item !== undefined);
  const entry = READ_OPERATIONS.get(typeKeyOf(record) ?? "") ?? "readRecord";
  const older =
    revision !== latest &&
    markup`<p class="notice plain" role="note">${t("record.older", { revision, latest, time: moment(lastModified) })}
${link(path, t("record.latest"))} · ${link(`${path}?m=diff&a=${revision}&b=${latest}`, t("record.changed_since"))}</p>`;
  const reply = page({
    ...more,
    body: markup`${older}${body}
<h2>${t("record.heading")}</h2>
<ul class="plain actions">${presentItems.map((item) => markup`<li>${item}</li>`)}</ul>
${apiCall(`${address}.json`, `records#${entry}`)}
${changeHint(record["last_modified"])}`,
    headers: isCatalog ? { Link: formatSignposts(baseUrl(context) + key, license) } : {},
    cacheControl: REVALIDATE,
  });
  const records = [...new Set([key, ...shownRevisions.map((shown) => shown.key)])];
  return { ...reply, records, isVolatile };
}

const READ_OPERATIONS: ReadonlyMap<string, string> = new Map([
  ["/type/edition", "readEdition"],
  ["/type/work", "readWork"],
  ["/type/author", "readAuthor"],
]);

export function editLink({ key, revision, latest }: RecordRow): Markup {
  return link(`${addressOf(key)}/edit${revision === latest ? "" : `?v=${revision}`}`, t("record.edit"));
}

function changeHint(time: unknown): Markup | undefined {
  const value = typeof time === "object" && time !== null && "value" in time ? time.value : undefined;
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value)
    ? markup`<p class="hint">${t("record.changed", { time: dayOf(value) })}</p>`
    : undefined;
}

export interface RecordView {
  readonly row: RecordRow;
  /** Shown revision, in the form that readers get. */
  readonly record: CatalogRecord;
  /** Path of the page, without a query. */
  readonly address: string;
  /** Path and query of the request, to which forms lead back. */
  readonly here: string;
  readonly reader: PageReader;
}

export interface RecordContent extends Pick<
  Page,
  "title" | "heading" | "head" | "metadata" | "body" | "formsLeadTo"
> {
  readonly links?: readonly Piece[];
  readonly shownRevisions?: readonly { readonly key: string; readonly revision: number }[];
  /** True if the page can change at any moment without a write, because it shows loans. */
  readonly isVolatile?: boolean;
}

/** Returns the address of further members, which keeps the shown revision. */
export function partPlace({ address, row }: RecordView): Omit<PartPlace, "anchor"> {
  return row.revision === row.latest ? { address } : { address, parameters: { v: String(row.revision) } };
}

export interface PageReader {
  /** Undefined without a session. */
  readonly username: string | undefined;
  readonly isLibrarian: boolean;
  /** The reader's state of the work; undefined without a session, and if the page is not about a work. */
  readonly workState: WorkState | undefined;
}

/**
 * Returns the reader of a page; makes no calls without a cookie. `work` is the number of the work that the page is
 * about.
 */
export async function pageReader(context: RequestContext, work: number | undefined): Promise<PageReader> {
  const session = await optionalSession(context);
  if (session === undefined) return { username: undefined, isLibrarian: false, workState: undefined };
  const { username } = session;
  const { pages } = patronOf(context.stores, username);
  const [actor, workState] = await Promise.all([
    context.actor(),
    work === undefined ? undefined : pages.workState(work),
  ]);
  return { username, isLibrarian: hasRole(actor, "librarian"), workState };
}

/** Members of every record, which the page shows elsewhere. */
const ENVELOPE = new Set(["key", "type", "revision", "latest_revision", "created", "last_modified", "id"]);
const TEXT_TYPES = new Set(["/type/page", "/type/doc", "/type/content", "/type/home"]);
const SUBJECT_TYPES = ["subject", "person", "place", "time"] as const;

export function otherBody({ record }: RecordView): Markup {
  switch (typeKeyOf(record)) {
    case "/type/language":
      return languageBody(record);
    case "/type/tag":
      return markup`${tagLink(record)}${members(record)}`;
    default:
      return TEXT_TYPES.has(typeKeyOf(record) ?? "")
        ? markup`${richText(textOf(record["body"]))}${members(record, ["title", "body"])}`
        : members(record);
  }
}

function members(record: CatalogRecord, excluded: readonly string[] = []): Markup {
  const names = Object.keys(record).filter((name) => !ENVELOPE.has(name) && !excluded.includes(name));
  const type = typeKeyOf(record) ?? "";
  return markup`<p>${t("record.of_type", { type: link(addressOf(type), type) })}</p>
${
  names.length > 0 &&
  table({
    caption: t("record.members"),
    columns: [t("search.name"), t("record.value")],
    rows: names.map((name): Piece[] => [name, valueMarkup(record[name])]),
  })
}`;
}

/** Keys of names by language; records may have any. */
const TAG = /^[a-z]{2,3}$/;

function languageBody(record: CatalogRecord): Markup {
  const code = textOf(record["code"]) ?? textOf(record["key"])?.slice("/languages/".length) ?? "";
  const { native } = languageNamesOf(code, record, "en");
  const lang = langAttribute(isoLanguageOf(code));
  const translated = isObject(record["name_translated"]) ? Object.entries(record["name_translated"]) : [];
  return markup`${factList([
    [t("language.marc"), code],
    [t("language.native"), native !== undefined && markup`<span${lang} dir="auto">${native}</span>`],
    [t("language.deprecated"), record["deprecated"] === true && t("record.yes")],
    [t("language.replaced"), valueMarkup(record["current"])],
  ])}
<p>${link(`/search?${new URLSearchParams({ language: code })}`, t("language.books"))}
${link("/languages", t("language.all"))}</p>
${
  translated.length > 0 &&
  table({
    caption: t("language.names"),
    columns: [t("layout.language"), t("search.name")],
    rows: translated.map(([language, names]): Piece[] => [
      language,
      markup`<span${langAttribute(TAG.test(language) ? language : undefined)} dir="auto">${commas(stringsOf(names))}</span>`,
    ]),
  })
}`;
}

function tagLink(record: CatalogRecord): Markup | undefined {
  const name = textOf(record["name"]) ?? "";
  const subjectType = SUBJECT_TYPES.find((type) => type === textOf(record["tag_type"]));
  if (subjectType === undefined || subjectKeyOf(name) === "") return undefined;
  return markup`<p>${link(nameAddressOf(subjectPageKeyOf(subjectType, name)), t("subject.books_about", { name }))}</p>`;
}
