import { isCatalogKey } from "../../catalog/keys.ts";
import { type Json, keyOf } from "../../catalog/record.ts";
import type { ChangeRow, ShortChange } from "../../db/history/changes.ts";
import type { Reply } from "../http/reply.ts";
import { factList } from "../ui/facts.ts";
import { page } from "../ui/layout.ts";
import { feedsOf, firstNames } from "../ui/metadata.ts";
import { type Markup, type Piece, addressOf, markup } from "../ui/markup.ts";
import { namedLink, kindName } from "../ui/names.ts";
import { pageLinks } from "../ui/pager.ts";
import { commas, link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { bullets, editSummary, valueMarkup } from "../ui/values.ts";
import { type Words, moment, number, t } from "../ui/words.ts";
import { type changeEntry, changeAddress, recordKeysOf } from "./change-entry.ts";
import type { ListParameters, ListPath } from "./change-query.ts";
import { authorKey, filterForm, filteredAddress, writerTabs } from "./filter-form.ts";

export interface ChangeList {
  /** Path without suffix, and the changes that it selects. */
  path: string;
  selection: ListPath;
  parameters: ListParameters;
}

type Names = ReadonlyMap<string, string>;

interface ChangesView {
  readonly changes: readonly ShortChange[];
  /** Names of records by key. */
  readonly names: Names;
  /** Number of the page, from 1. */
  readonly current: number;
  readonly hasNext: boolean;
}

export function changesPage(list: ChangeList, { changes, names, current, hasNext }: ChangesView): Reply {
  const { path, selection, parameters } = list;
  const { changeKind } = selection;
  const title = titleOf(path, { ...parameters, author: authorKey(parameters) });
  // The form leads to all changes if the path names a kind, so that another can be chosen.
  const form = {
    path: changeKind === undefined ? path : "/recentchanges",
    parameters: { ...parameters, kind: parameters.kind ?? changeKind },
  };
  const pageAddress = (at: number): string =>
    filteredAddress({ path, parameters: { ...parameters, page: at === 1 ? undefined : String(at) } });
  const hasFeed = selection.begin === undefined;
  return page({
    title,
    metadata: {
      address: pageAddress(current),
      description: firstNames(title, [...new Set(names.values())]),
      alternates: hasFeed ? feedsOf(addressOf(path)) : [],
    },
    body: markup`${writerTabs(list)}${filterForm(form)}
${changes.length === 0 ? markup`<p>${t("history.none")}</p>` : changesTable(changes, { caption: title, names })}
${pageLinks(current > 1 ? pageAddress(current - 1) : undefined, hasNext ? pageAddress(current + 1) : undefined)}`,
  });
}

function titleOf(path: string, { author, key }: ListParameters): Markup {
  const rest = path.slice("/recentchanges".length).split("/").slice(1).join(" / ");
  const name = markup`${t("history.title")}${key !== undefined && key !== "" && [" ", t("history.of", { what: key })]}${
    author !== undefined && [" ", t("history.by", { who: author })]
  }`;
  return rest === "" ? name : t("list.pair", { name, value: rest });
}

function changesTable(
  rows: readonly ShortChange[],
  { caption, names }: { caption: Piece; names: Names },
): Markup {
  return table({
    caption,
    columns: [
      t("history.when"),
      t("history.what"),
      t("history.user"),
      t("history.records"),
      t("history.comment"),
    ],
    rows: foldLoads(rows).map(([row, ...others]) => {
      const { author } = row;
      return [
        link(changeAddress(row), moment(row.created)),
        kindName(row.kind),
        author === null ? "–" : link(addressOf(author), markup`<bdi>${author.replace("/people/", "")}</bdi>`),
        [recordLinks(row, names), others.length > 0 && foldedChanges(others)],
        editSummary(row.comment),
      ];
    }),
  });
}

type Changes = readonly [ShortChange, ...ShortChange[]];

/** Groups adjacent transactions of one load, which differ only in their number. */
function foldLoads(rows: readonly ShortChange[]): Changes[] {
  const groups: [ShortChange, ...ShortChange[]][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    const isSame =
      group !== undefined &&
      row.size === null &&
      (["size", "kind", "author", "comment"] as const).every((name) => row[name] === group[0][name]);
    if (isSame) group.push(row);
    else groups.push([row]);
  }
  return groups;
}

function foldedChanges(rows: readonly ShortChange[]): Markup {
  const links = rows.map((row) =>
    link(changeAddress(row), t("history.change", { id: row.id, kind: kindName(row.kind) })),
  );
  return markup`<details><summary>${t("list.more", { count: rows.length })}</summary>${bullets(links)}</details>`;
}

function recordLinks(row: ShortChange, names: Names): Piece {
  if (row.size === null) return t("history.load");
  const keys = recordKeysOf(row);
  const more = row.size - keys.length;
  return commas([
    ...keys.map((key) => namedLink(key, names.get(key))),
    ...(more > 0 ? [t("list.more", { count: more })] : []),
  ]);
}

interface ChangeView {
  readonly entry: ReturnType<typeof changeEntry>;
  readonly names: Names;
  readonly mayUndo: boolean;
}

export function changePage(row: ChangeRow, { entry, names, mayUndo }: ChangeView): Reply {
  const { id, kind, comment, author, changes, data } = entry;
  const known = Object.entries(data).map(([name, value]): [Piece, Piece] => {
    const words = DATA_WORDS.get(name);
    return [words === undefined ? name : t(words), dataPiece(value ?? null, names)];
  });
  return page({
    title: t("history.change", { id, kind: kindName(kind) }),
    body: markup`${factList([
      [t("history.when"), moment(row.created)],
      [t("history.what"), kindName(kind)],
      [t("history.user"), author === null ? undefined : link(addressOf(author.key), author.key)],
      [t("history.comment"), editSummary(comment)],
      ...known,
    ])}
${changes === null ? markup`<p>${t("history.load")}</p>` : changedRecords(changes, names)}
${
  mayUndo &&
  markup`<form method="post" action="${changeAddress(row)}"><p><button>${t("history.undo")}</button></p></form>`
}`,
  });
}

/** Labels of what is known of a change besides its records; others have their own names. */
const DATA_WORDS: ReadonlyMap<string, Words> = new Map([
  ["master", "history.kept"],
  ["duplicates", "history.merged"],
  ["parent_changeset", "history.undone"],
  ["mrid", "history.merge_request"],
  ["url", "history.source"],
  ["proposal", "proposal.title"],
  ["reviewer", "merge.reviewer"],
]);

/** Renders a value of a change: catalog keys as links, lists with commas. */
function dataPiece(value: Json, names: Names): Piece {
  return Array.isArray(value) ? commas(value.map((item) => keyPiece(item, names))) : keyPiece(value, names);
}

/** Links keys of the catalog only: a writer may send `//example.com`. */
function keyPiece(value: Json, names: Names): Piece {
  const key = keyOf(value);
  return key !== undefined && isCatalogKey(key) ? namedLink(key, names.get(key)) : valueMarkup(value);
}

function changedRecords(changes: readonly { key: string; revision: number }[], names: Names): Piece {
  return table({
    caption: t("history.changed_records"),
    columns: [t("history.record"), t("history.revision"), t("history.compare")],
    rows: changes.map(({ key, revision }) => {
      const address = addressOf(key);
      const compared = `${address}?m=diff&a=${revision - 1}&b=${revision}`;
      return [
        namedLink(key, names.get(key)),
        link(`${address}?v=${revision}`, number(revision)),
        revision === 1
          ? t("history.created")
          : link(compared, markup`${t("diff.compare")}<span class="unseen"> ${key}</span>`),
      ];
    }),
  });
}
