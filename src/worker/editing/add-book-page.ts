import type { FormField } from "../../catalog/editing/form-fields.ts";
import { type CatalogRecord, keyOf, textOf } from "../../catalog/record.ts";
import type { Reply } from "../http/reply.ts";
import { type Field, errorSummary, field, form as formMarkup } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import type { FormFailure } from "./form-failures.ts";

const FIELDS: readonly Field[] = [
  { name: "book_title", label: "Title", required: true },
  {
    name: "authors--0--author--key",
    label: "Author",
    hint: "A key such as /authors/OL1A; empty for an author who is not in the catalog.",
  },
  { name: "author_names--0", label: "Name of a new author" },
  { name: "publisher", label: "Publisher" },
  { name: "publish_date", label: "Date of publication" },
  {
    name: "id_name",
    label: "Kind of number",
    hint: "isbn_10, isbn_13, lccn, oclc_numbers, ocaid or another name",
  },
  { name: "id_value", label: "Number" },
  { name: "web_book_url", label: "Address where it can be read", type: "url" },
  { name: "work", label: "Work", hint: "Key of the work, when the book is an edition of one that is here." },
];

/** What the form is filled with, and what is wrong with it. */
interface AddPage {
  /** Texts of fields by name. */
  readonly values: ReadonlyMap<string, string>;
  readonly failures: readonly FormFailure[];
}

/** The form of a new book; 400 when something is wrong. */
export function addBookPage({ values, failures }: AddPage): Reply {
  const fields = FIELDS.map((spec): Field => {
    const error = failures.find(({ at }) => at?.property === spec.name)?.message;
    return { ...spec, value: values.get(spec.name), error };
  });
  const others = failures.filter(({ at }) => !FIELDS.some(({ name }) => name === at?.property));
  const body = markup`${errorSummary(others.map(({ message }) => ({ message })))}${formMarkup({
    action: "/books/add",
    fields,
    submit: "Add",
  })}`;
  return page({ title: "Add a book", body, status: failures.length === 0 ? 200 : 400 });
}

/** Several works may be the one: people choose. */
export function choicePage(fields: readonly FormField[], works: readonly CatalogRecord[]): Reply {
  const kept = fields.filter(([name]) => name !== "work" && name !== "_test");
  const hidden = kept.map(([name, value]) => field({ name, label: "", type: "hidden", value }));
  const choices = works.map((work) => choice(keyOf(work) ?? "", work));
  const body = markup`<form method="post" action="/books/add">
${hidden}<fieldset><legend><h2>Is the book an edition of one of these?</h2></legend>
${choices}<p class="check"><input type="radio" name="work" value="none-of-these" id="none-of-these" checked>
<label for="none-of-these">None of these: it is a new work</label></p>
</fieldset><p><button type="submit">Continue</button></p></form>`;
  return page({ title: "Add a book", body });
}

function choice(key: string, work: CatalogRecord) {
  return markup`<p class="check"><input type="radio" name="work" value="${key}" id="${key}">
<label for="${key}">${textOf(work["title"]) ?? key} (${key})</label> ${link(key, "Look at it")}</p>`;
}

/** What the form tells of the record that it would find. */
export function testPage(match: string | undefined): Reply {
  const body =
    match === undefined ? markup`<p>No match found</p>` : markup`<p>Matched ${link(match, match)}</p>`;
  return page({ title: "Add a book", body });
}
