import { type CatalogRecord, keyOf, textOf } from "../../catalog/record.ts";
import type { FormField } from "../../catalog/editing/form-fields.ts";
import type { Reply } from "../http/reply.ts";
import { type InputField, errorSummary, field, recordPagePath, select } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { memberName, nameOf } from "../ui/names.ts";
import { notice } from "../ui/notice.ts";
import { type Pickable, picker } from "../ui/picker.ts";
import { dots, link } from "../ui/parts.ts";
import { t } from "../ui/words.ts";
import { NAME_SOURCES } from "./find-by-name.ts";
import type { IsbnState } from "./match-book.ts";
import type { NameMatches } from "./picks.ts";
import { ENTER_SAVES, confirmDate, formFailureText, isDoubtfulDate } from "./record-form-page.ts";
import type { FormFailure } from "./submitted-form.ts";

export interface AddBookPage {
  values: ReadonlyMap<string, string>;
  failures?: readonly FormFailure[];
  nameMatches?: NameMatches;
  records?: ReadonlyMap<string, Pickable>;
  isbn?: IsbnState;
  /** Edition that may be the same book. */
  existing?: CatalogRecord | undefined;
  authors?: number;
}

const AUTHOR = /^authors--(\d+)--author--key/;

export function addBookPage(spec: AddBookPage): Reply {
  const { values, failures = [], existing } = spec;
  const errorOf = (name: string): Piece => {
    const failure = failures.find(({ at }) => at?.property === name);
    return failure && formFailureText(failure);
  };
  const plain = (name: string, label: Piece, more: Partial<InputField> = {}): Markup =>
    field({ name, label, value: values.get(name), error: errorOf(name), ...more });
  const summary = errorSummary(
    failures.map((failure) => {
      const name = failure.at?.property;
      const isField = name !== undefined && FIELDS.has(name);
      return { ...(isField && { name }), message: formFailureText(failure) };
    }),
  );
  const body = markup`<p>${t("add.intro")} ${t("add.at_once")}</p>
${summary}
<form method="post" action="/books/add" class="record">${ENTER_SAVES}
${existing !== undefined && existingBook(existing)}
${plain("book_title", memberName("title"), { required: true })}
${authorRows(spec, errorOf)}
${numberFields(spec, errorOf)}
${plain("publisher", t("add.publisher"))}
${plain("publish_date", memberName("publish_date"))}${failures.some(isDoubtfulDate) && confirmDate()}
${plain("web_book_url", t("add.web_book"), { type: "url" })}
${pickerOf(spec, "work", { label: t("add.work"), source: NAME_SOURCES.work, hint: t("add.work_hint"), error: errorOf("work") })}
<p><button class="primary" name="_save" value="true">${t("add.button")}</button></p>
</form>`;
  return page({ title: t("add.title"), body, status: failures.length === 0 ? 200 : 400 });
}

const FIELDS: ReadonlySet<string> = new Set([
  "book_title",
  "id_name",
  "id_value",
  "publisher",
  "publish_date",
  "web_book_url",
  "work",
]);

function existingBook(edition: CatalogRecord): Markup {
  const more = field({ name: "add_known", label: t("add.all_the_same"), type: "checkbox" });
  return markup`${notice("bad", t("add.here", { book: bookLink(edition) }))}${more}`;
}

function pickerOf(
  { values, nameMatches, records }: AddBookPage,
  name: string,
  parts: Omit<Parameters<typeof picker>[0], "name" | "picked" | "typed" | "matches">,
): Markup {
  const key = values.get(name) ?? "";
  const typed = values.get(`${name}_text`);
  const label = typed === undefined || typed === "" ? (records?.get(key)?.name ?? key) : typed;
  return picker({
    name,
    ...parts,
    ...(key !== "" && { picked: { key, name: label } }),
    ...(key === "" && typed !== undefined && { typed }),
    ...nameMatches?.get(name),
  });
}

function authorRows(spec: AddBookPage, errorOf: (name: string) => Piece): Markup {
  const { values, nameMatches, authors = 1 } = spec;
  const numbers = [...values.keys()].flatMap((name) => {
    const [, digits] = AUTHOR.exec(name) ?? [];
    return digits === undefined ? [] : [Number(digits) + 1];
  });
  const count = Math.min(Math.max(authors, ...numbers), 100);
  const rows = Array.from({ length: count }, (_, index) => {
    const name = `authors--${index}--author--key`;
    const matches = nameMatches?.get(name);
    const isOpen = matches !== undefined;
    // Programs and older forms name a new author in a separate field.
    const newName = values.has(`${name}_text`) ? undefined : values.get(`author_names--${index}`);
    const filled =
      newName === undefined ? values : new Map([...values, [name, ""], [`${name}_text`, newName]]);
    return pickerOf({ ...spec, values: filled }, name, {
      label: count === 1 ? t("add.author") : t("edit.author", { number: index + 1 }),
      source: NAME_SOURCES.author,
      error: errorOf(`author_names--${index}`) ?? (isOpen ? t("edit.pick_one") : undefined),
      ...(isOpen && { other: ["__new__", t("edit.new", { name: matches.typed })] as const }),
    });
  });
  return markup`${rows}<p><button name="find" value="authors" formnovalidate>${t("add.another_author")}</button></p>`;
}

const NUMBER_KINDS = [
  ["isbn", t("add.isbn_kind")],
  ["lccn", memberName("lccn")],
  ["oclc_numbers", memberName("oclc_numbers")],
  ["ocaid", memberName("ocaid")],
] as const;

function numberFields(
  { values, isbn = { kind: "none" } }: AddBookPage,
  errorOf: (name: string) => Piece,
): Markup {
  const kind = values.get("id_name") ?? "";
  const chosen = kind.startsWith("isbn") || kind === "" ? "isbn" : kind;
  const isKnown = NUMBER_KINDS.some(([name]) => name === chosen);
  const options = isKnown ? NUMBER_KINDS : [...NUMBER_KINDS, [chosen, chosen] as const];
  const error = errorOf("id_value");
  return markup`<div>${select({ name: "id_name", label: t("add.number_kind"), options, chosen })}</div>
<div><label for="id_value">${t("add.number")}</label><p class="hint" id="id_value-hint">${t("add.number_hint")}</p>${
    error !== undefined && markup`<p class="error" id="id_value-error">${error}</p>`
  }
<div class="line"><input id="id_value" name="id_value" value="${values.get("id_value")}" autocomplete="off" data-check="/books/add?isbn=" aria-describedby="id_value-hint ${error !== undefined && "id_value-error "}id_value-state"${error !== undefined && markup` aria-invalid="true"`}> <button name="find" value="id_value" formnovalidate>${t("picker.find")}<span class="unseen"> ${t("add.number")}</span></button></div>
<p id="id_value-state" role="status">${describeIsbn(isbn)}</p>${
    isbn.kind === "bad" || isbn.kind === "length"
      ? field({ name: "_misprinted", label: t("add.misprinted"), type: "checkbox" })
      : undefined
  }</div>`;
}

export function workChoicePage(fields: readonly FormField[], works: readonly CatalogRecord[]): Reply {
  const hidden = fields
    .filter(([name]) => name !== "work" && name !== "_test")
    .map(([name, value]) => field({ name, label: "", type: "hidden", value }));
  const choices = works.map((work) => {
    const key = keyOf(work) ?? "";
    const more = [textOf(work["first_publish_date"]), key.slice("/works/".length)].filter(Boolean).join(", ");
    return markup`<p class="check"><input type="radio" name="work" value="${key}" id="${key}">
<label for="${key}"><cite dir="auto">${textOf(work["title"]) ?? key}</cite> <span class="soft">${more}</span></label> ${link(key, markup`${t("add.look")}<span class="unseen"> ${key}</span>`)}</p>`;
  });
  const body = markup`<form method="post" action="/books/add">
${hidden}<fieldset><legend><h2>${t("add.choose_work")}</h2></legend>
${choices}<p class="check"><input type="radio" name="work" value="none-of-these" id="none-of-these" checked>
<label for="none-of-these">${t("add.none")}</label></p>
</fieldset><p><button class="primary">${t("add.continue")}</button></p></form>`;
  return page({ title: t("add.title"), body });
}

export function testResultPage(key: string | undefined): Reply {
  const body =
    key === undefined
      ? markup`<p>${t("add.no_match")}</p>`
      : markup`<p>${t("add.here", { book: link(key, key) })}</p>`;
  return page({ title: t("add.title"), body });
}

function describeIsbn(state: IsbnState): Markup | undefined {
  switch (state.kind) {
    case "bad":
      return markup`<span class="error">${t("add.isbn_bad")}</span>`;
    case "length":
      return markup`<span class="error">${t("add.isbn_length", { count: state.count })}</span>`;
    case "known":
      return markup`<span class="error">${t("add.known", { book: bookLink(state.edition) })}</span>`;
    case "free":
      return t("add.isbn_free");
    default:
      return undefined;
  }
}

function bookLink(edition: CatalogRecord): Piece {
  const key = keyOf(edition) ?? "";
  return dots([
    link(recordPagePath(key, edition), markup`<cite dir="auto">${nameOf(edition)}</cite>`),
    link(recordPagePath(key, edition, "/edit"), t("add.here_improve")),
  ]);
}
