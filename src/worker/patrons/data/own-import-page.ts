import type { ExportType } from "../../../catalog/patrons/exports.ts";
import type { LibraryFormat } from "../../../catalog/patrons/library-columns.ts";
import { type LibraryBook, type LibraryFile, readColumns } from "../../../catalog/patrons/library-file.ts";
import type { ColumnRole } from "../../../catalog/patrons/library-rows.ts";
import { SHELVES } from "../../../catalog/patrons/shelves.ts";
import type { Failure } from "../../http/failure.ts";
import type { Reply } from "../../http/reply.ts";
import { accountPage } from "../../ui/action-answer.ts";
import { SHELF_WORDS } from "../../ui/dropper.ts";
import { failureText } from "../../ui/failure-text.ts";
import { errorSummary, select } from "../../ui/form.ts";
import { type Markup, type Piece, markup } from "../../ui/markup.ts";
import { commas, dots, link } from "../../ui/parts.ts";
import { live, progress, refreshing } from "../../ui/progress.ts";
import { table } from "../../ui/table.ts";
import { type Words, moment, t } from "../../ui/words.ts";
import type { ImportView } from "./own-import-job.ts";

export interface FileForm {
  readonly csv: string;
  readonly shelf?: string | undefined;
  readonly lists: string;
}

export function columnField(role: ColumnRole): `${ColumnRole}_column` {
  return `${role}_column`;
}

/** Books of each kind that the page shows; the form sends all. */
const PREVIEWED_BOOKS = 200;

const FORMAT_WORDS: Readonly<Record<LibraryFormat, Piece>> = {
  goodreads: "Goodreads",
  storygraph: "StoryGraph",
  bookwyrm: "BookWyrm",
  librarything: "LibraryThing",
  hardcover: "Hardcover",
  openreads: "Openreads",
  libib: "Libib",
  calibre: "calibre",
  ryot: "Ryot",
  carrel: t("import.format_own"),
  table: t("import.format_table"),
  list: t("import.format_list"),
};

/** Columns that can be chosen by hand, with the labels of their fields. */
const CHOSEN_ROLES: readonly (readonly [ColumnRole, Words])[] = [
  ["title", "search.title_field"],
  ["author", "search.author"],
  ["isbn", "search.isbn"],
  ["status", "import.status"],
  ["shelf", "import.shelf"],
  ["tags", "import.tags"],
  ["rating", "import.rating"],
  ["started", "import.started"],
  ["finished", "import.read"],
  ["review", "import.review"],
  ["note", "import.note"],
  ["owned", "import.owned"],
];

export function previewPage(file: LibraryFile, form: FileForm): Reply {
  const { books, format, lists, rounded, shelf, columns, roles, unknownStatuses } = file;
  const withIsbn = books.filter(({ row }) => row.isbn !== null);
  const others = books.filter(({ row }) => row.isbn === null);
  const shelves = SHELVES.map(({ id }) => [String(id), t(SHELF_WORDS[id])] as const);
  const shelfField = select({
    name: "shelf",
    label: t("import.other_shelf"),
    options: [["none", t("import.no_shelf")], ...shelves],
    chosen: shelf === null ? "none" : String(shelf),
  });
  const fields = markup`<p>${shelfField}</p>
<p>${select({ name: "lists", label: t("import.lists"), options: LIST_OPTIONS, chosen: form.lists })}</p>
${lists.length > 0 && markup`<p class="hint">${t("import.lists_named", { names: commas(lists) })}</p>`}
${
  format !== "list" &&
  markup`<details><summary>${t("import.columns")}</summary>${columnFields(columns, (role) => roles[role][0])}</details>`
}
<p class="line"><button class="primary">${t("import.begin", { count: books.length })}</button> <button formaction="/account/import/goodreads">${t("import.refresh")}</button> ${link("/account/import", t("import.back"))}</p>`;
  const body = markup`<p>${t("import.format", { format: FORMAT_WORDS[format] })} ${t("import.found", { count: withIsbn.length })} ${t("import.unchanged")}</p>
${rounded > 0 && markup`<p>${t("import.rounded", { count: rounded })}</p>`}
${Object.entries(unknownStatuses).map(
  ([status, count]) =>
    markup`<p class="warning">${t("import.unknown_status", { status: markup`<bdi>${status}</bdi>`, count })}</p>`,
)}
${fileForm("/account/import", form.csv, fields)}
${withIsbn.length > 0 && renderBooks(t("import.with_isbn"), withIsbn)}
${
  others.length > 0 &&
  markup`<p>${t("import.by_title", { count: others.length })}</p>
${renderBooks(t("import.without_isbn"), others)}`
}`;
  return accountPage({ title: t("import.preview"), body });
}

/** Renders a form to choose the columns of a file that was not recognized; undefined if it has none. */
export function columnsPage({ csv, lists }: FileForm, refusal: Failure): Reply | undefined {
  const columns = readColumns(csv);
  if (columns.length === 0) return undefined;
  const fields = markup`${hiddenLists(lists)}${columnFields(columns, () => undefined)}
<p><button class="primary">${t("import.look")}</button> ${link("/account/import", t("import.back"))}</p>`;
  const body = markup`${errorSummary([{ name: columnField("title"), message: failureText(refusal) }])}
${fileForm("/account/import/goodreads", csv, fields)}`;
  return accountPage({ title: t("import.columns"), body });
}

function fileForm(action: string, csv: string, fields: Piece): Markup {
  return markup`<form method="post" action="${action}" enctype="multipart/form-data">
<textarea name="csv" hidden aria-hidden="true">
${csv}</textarea>
${fields}</form>`;
}

function hiddenLists(choice: string): Markup {
  return markup`<input type="hidden" name="lists" value="${choice}">`;
}

const LIST_OPTIONS = [
  ["yes", t("import.lists_yes")],
  ["no", t("import.lists_no")],
] as const;

function columnFields(
  columns: readonly string[],
  chosenOf: (role: ColumnRole) => string | undefined,
): Markup[] {
  const options = [["-", t("import.no_column")] as const, ...columns.map((name) => [name, name] as const)];
  return CHOSEN_ROLES.map(([role, words]) => {
    const chosen = chosenOf(role) ?? "-";
    return markup`<p>${select({ name: columnField(role), label: t(words), options, chosen })}</p>`;
  });
}

function renderBooks(caption: Piece, books: readonly LibraryBook[]): Markup {
  const words = [
    "search.title_field",
    "search.author",
    "search.isbn",
    "import.shelf",
    "import.rating",
    "import.read",
  ] as const;
  return table({
    caption,
    columns: words.map((name) => t(name)),
    rows: books.slice(0, PREVIEWED_BOOKS).map(({ row }) => {
      const dates = row.events.filter(({ type }) => type === 3).map(({ date }) => date);
      return [
        markup`<bdi>${row.title}</bdi>`,
        markup`<bdi>${row.author}</bdi>`,
        row.isbn ?? "",
        commas([...(row.shelf === null ? [] : [t(SHELF_WORDS[row.shelf])]), ...row.lists]) ?? "",
        row.stars ?? "",
        commas(dates) ?? "",
      ];
    }),
  });
}

const ROW_PROBLEMS: Readonly<Record<ImportView["missing"][number]["problem"], Words>> = {
  "no-isbn": "import.no_isbn",
  "not-found": "import.not_found",
  "unknown-shelf": "import.unknown_shelf",
  doubtful: "import.doubtful",
};
const EXPORT_NAMES: Readonly<Record<ExportType, Words>> = {
  library: "export.library",
  reading_log: "export.reading_log",
  book_notes: "export.notes",
  reviews: "export.reviews",
  lists: "export.lists",
  ratings: "export.ratings",
  check_ins: "export.dates",
  progress: "export.progress",
};

export function importPage(state: ImportView | null, refusal?: Failure): Reply {
  const error = refusal && failureText(refusal);
  const message = error !== undefined && markup`<p class="error" id="csv-error">${error}</p>`;
  const attributes = error !== undefined && markup` aria-describedby="csv-error" aria-invalid="true"`;
  const body = markup`${error !== undefined && errorSummary([{ name: "csv", message: error }])}
${state !== null && live("import", state.status === "running", renderProgress(state))}
<h2>${t("import.heading")}</h2>
<p>${t("import.how")}</p>
<form method="post" action="/account/import/goodreads" enctype="multipart/form-data">
<div><label for="csv">${t("import.file")}</label>${message}<input type="file" id="csv" name="csv" accept=".csv,.tsv,.txt,.json,text/csv" required${attributes}></div>
<p>${hiddenLists("no")}<button>${t("import.look")}</button></p>
</form>
<form method="post" action="/account/import/goodreads" enctype="multipart/form-data">
<div><label for="titles">${t("import.paste")}</label><textarea id="titles" name="csv" rows="5" required></textarea></div>
<p>${hiddenLists("no")}<button>${t("import.look_list")}</button></p>
</form>
<h2>${t("export.heading")}</h2>
<p>${t("export.how")}</p>
<ul>${Object.entries(EXPORT_NAMES).map(
    ([type, words]) =>
      markup`<li>${t("list.pair", { name: t(words), value: dots([link(`/account/export?type=${type}`, "CSV"), link(`/account/export.json?type=${type}`, "JSON")]) })}</li>`,
  )}</ul>`;
  const head = refreshing(state?.status === "running");
  return accountPage({ title: t("import.title"), body, head });
}

/** Doubtful books that the page shows at a time; decided ones make room for more. */
const REVIEWED_BOOKS = 50;

function renderProgress(state: ImportView): Markup {
  const { status, total, done, imported, missing, updated, lists } = state;
  const doubtful = missing.filter(({ candidates }) => candidates.length > 0);
  const others = missing.filter(({ candidates }) => candidates.length === 0);
  const label = status === "running" ? t("import.runs") : t("import.done");
  const listLinks = lists.map(({ name, key, problem }) => {
    if (key !== null) return link(key, markup`<bdi>${name}</bdi>`);
    return problem === null ? markup`<bdi>${name}</bdi>` : t("import.list_failed", { name });
  });
  const choices = doubtful.slice(0, REVIEWED_BOOKS).map(({ position, title, author, candidates }) => {
    const book = dots([markup`<bdi>${title}</bdi>`, author !== "" && markup`<bdi>${author}</bdi>`]);
    return markup`<li><form method="post" action="/account/import/choose"><fieldset><legend>${book}</legend>
<input type="hidden" name="position" value="${position}">
${candidates.map(
  ({ work, ...candidate }) =>
    markup`<p><button name="work" value="${work}">${dots([markup`<bdi>${candidate.title}</bdi>`, markup`<bdi>${candidate.author}</bdi>`, candidate.year])}</button></p>`,
)}
<p><button name="work" value="0">${t("import.none_of_these")}<span class="unseen">: ${title}</span></button></p>
</fieldset></form></li>`;
  });
  return markup`<h2>${t("import.last")}</h2>
${progress({ label, done, total })}
<p role="status">${t("import.result", { imported, left: done - imported })} ${t("import.updated", { time: moment(updated) })}</p>
${lists.length > 0 && markup`<p>${t("import.lists_saved")} ${commas(listLinks)}</p>`}
${
  doubtful.length > 0 &&
  markup`<h3>${t("import.review_heading", { count: doubtful.length })}</h3>
<p>${t("import.review_how")}</p>
<ul>${choices}</ul>`
}
${
  others.length > 0 &&
  table({
    caption:
      missing.length < done - imported
        ? t("import.first_missing", { count: others.length })
        : t("import.missing"),
    columns: [t("search.title_field"), t("search.author"), t("search.isbn"), t("import.why")],
    rows: others.map(({ title, author, isbn, problem }) => [
      link(`/search?${new URLSearchParams({ q: `${title} ${author}`.trim() })}`, title),
      author,
      isbn ?? "",
      t(ROW_PROBLEMS[problem]),
    ]),
  })
}`;
}
