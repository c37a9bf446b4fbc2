import { type ShortChange, readShortChanges } from "../../../db/changes/read-changes.ts";
import { type RequestContext, catalogReader } from "../../context.ts";
import { type ListParameters, askedChanges } from "../../history/asked-changes.ts";
import { changeAddress } from "../../history/change-entry.ts";
import type { ChangePath } from "../../history/change-path.ts";
import { addressOf } from "../../pages/address.ts";
import { page } from "../../pages/layout.ts";
import { type Markup, markup } from "../../pages/markup.ts";
import { link, moment, pageLinks, table } from "../../pages/parts.ts";
import type { Reply } from "../../reply.ts";

/** Changes on one page for people (records.md 7.2). */
export const PAGE_CHANGES = 50;
/** Highest page: the end of what can be passed over. */
export const PAGES_MAX = 200;

/** What people are not bothered with unless they ask for it. */
const HIDDEN_KINDS = ["new-account"];

const TABS = [
  { name: "All", bot: undefined },
  { name: "Humans", bot: "false" },
  { name: "Bots", bot: "true" },
] as const;

interface Asked {
  readonly list: ChangePath & { kind: "list" };
  readonly path: string;
  readonly parameters: ListParameters;
}

/** The list of changes as a page for people. */
export async function changesPage(asked: Asked, context: RequestContext): Promise<Reply> {
  const { list, parameters } = asked;
  const { filter } = await askedChanges(list, parameters, context);
  const number = pageNumber(parameters.page);
  // One more than is shown tells whether there is another page.
  const slice = { limit: PAGE_CHANGES + 1, offset: (number - 1) * PAGE_CHANGES };
  const shown = { ...filter, notKinds: filter?.kinds === undefined ? HIDDEN_KINDS : undefined };
  const rows = filter === undefined ? [] : await readShortChanges(catalogReader(context), shown, slice);
  const title = titleOf(asked);
  return page({
    title,
    body: markup`${tabs(asked)}
${rows.length === 0 ? markup`<p>There are no changes here.</p>` : changesTable(rows.slice(0, PAGE_CHANGES), title)}
${pageLinks(
  number > 1 ? address(asked, { page: String(number - 1) }) : undefined,
  rows.length > PAGE_CHANGES && number < PAGES_MAX ? address(asked, { page: String(number + 1) }) : undefined,
)}`,
  });
}

/** A page number of a query, from 1. */
export function pageNumber(text: string | undefined): number {
  const number = text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : 1;
  return Math.min(PAGES_MAX, Math.max(1, number));
}

function titleOf({ path, parameters: { author, key } }: Asked): string {
  const rest = path.slice("/recentchanges".length).split("/").slice(1).join(" / ");
  const by = author === undefined ? "" : ` by ${author}`;
  const of = key === undefined ? "" : ` of ${key}`;
  return `Recent changes${of}${by}${rest === "" ? "" : `: ${rest}`}`;
}

function tabs(asked: Asked): Markup {
  const { bot } = asked.parameters;
  const current = bot === "true" || bot === "false" ? bot : undefined;
  const links = TABS.map(({ name, bot: own }) =>
    link(address(asked, { bot: own, page: undefined }), name, own === current),
  );
  return markup`<nav class="pages" aria-label="By whom">${links}</nav>`;
}

/** The address of the list with some parameters changed. */
function address({ path, parameters }: Asked, changed: ListParameters): string {
  const merged = { ...parameters, ...changed };
  const entries = Object.entries(merged).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const query = new URLSearchParams(entries).toString();
  return addressOf(path) + (query === "" ? "" : `?${query}`);
}

function changesTable(rows: readonly ShortChange[], caption: string): Markup {
  return table({
    caption,
    columns: ["When", "What", "Who", "Records", "Comment"],
    rows: rows.map((row) => {
      const { author } = row;
      return [
        link(changeAddress(row), moment(row.created)),
        row.kind,
        author === null ? "–" : link(addressOf(author), author.replace("/people/", "")),
        records(row),
        row.comment,
      ];
    }),
  });
}

function records({ size, keys }: ShortChange): Markup {
  if (size === null) return markup`a load`;
  // The column is a JSON list of keys.
  const named = JSON.parse(keys) as string[];
  const links = named.map((key, index) => {
    const before = index === 0 ? "" : ", ";
    return markup`${before}${link(addressOf(key), key)}`;
  });
  const more = size - named.length;
  return markup`${links}${more > 0 && ` and ${more} more`}`;
}
