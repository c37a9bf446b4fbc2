import { facet, rail } from "../ui/facet.ts";
import { removableChips } from "../ui/chip.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { type Words, t } from "../ui/words.ts";
import type { FilterGroup } from "./find-page.ts";
import { type PageParameters, pageAddressOf } from "./result-parts.ts";

const FILTERS: ReadonlyMap<string, Words> = new Map([
  ["title", "search.title_field"],
  ["author", "search.author"],
  ["author_key", "search.author"],
  ["author_facet", "search.author"],
  ["publisher", "search.publisher"],
  ["publisher_facet", "search.publisher"],
  ["subject", "search.subject"],
  ["subject_facet", "search.subject"],
  ["person", "search.person"],
  ["person_facet", "search.person"],
  ["place", "search.place"],
  ["place_facet", "search.place"],
  ["time", "search.time"],
  ["time_facet", "search.time"],
  ["first_publish_year", "search.first_published"],
  ["from", "search.from"],
  ["to", "search.to"],
  ["language", "layout.language"],
  ["contributor", "search.contributor"],
  ["isbn", "search.isbn"],
  ["lccn", "search.lccn"],
  ["oclc", "search.oclc"],
]);
const FLAGS: readonly (readonly [name: string, value: string, words: Words])[] = [
  ["has_fulltext", "true", "search.readable"],
  ["has_fulltext", "false", "search.unreadable"],
  ["public_scan", "true", "lending.free"],
  ["public_scan", "false", "search.not_free"],
  ["print_disabled", "true", "lending.print_disabled"],
  ["print_disabled", "false", "search.not_print_disabled"],
  ["public_scan_b", "true", "search.free_edition"],
  ["public_scan_b", "false", "search.no_free_edition"],
];

export interface Narrowing {
  readonly path: string;
  readonly parameters: PageParameters;
  readonly groups: readonly FilterGroup[];
  readonly languages: ReadonlyMap<string, string>;
  readonly authorNames: ReadonlyMap<string, string>;
  readonly numFound: number;
  readonly readable: ReadonlyMap<string, number>;
}

export function renderActiveFilters(narrowing: Narrowing): Piece {
  const { path, parameters } = narrowing;
  const items = parameters.flatMap(([name, value], at) => {
    const text = filterText(name, value, narrowing);
    return text === undefined ? [] : [{ href: pageAddressOf(path, parameters.toSpliced(at, 1)), text }];
  });
  return removableChips(t("search.narrowed"), items);
}

function filterText(name: string, value: string, { languages, authorNames }: Narrowing): Markup | undefined {
  const flag = FLAGS.find(([flagName, flagValue]) => flagName === name && flagValue === value)?.[2];
  if (flag !== undefined) return t(flag);
  const label = FILTERS.get(name);
  if (label === undefined) return undefined;
  const names = name === "language" ? languages : authorNames;
  return t("list.pair", { name: t(label), value: markup`<bdi>${names.get(value) ?? value}</bdi>` });
}

const CLOSED = new Set(["person_facet", "place_facet", "time_facet"]);

export function renderFacetRail(narrowing: Narrowing): Piece {
  const { path, parameters, groups, numFound, readable: counts } = narrowing;
  const add = (name: string, value: string): string => pageAddressOf(path, [...parameters, [name, value]]);
  const names = new Set(parameters.map(([name]) => name));
  const readable = FLAGS.filter(([, value]) => value === "true")
    .filter(([name]) => (name === "has_fulltext" || name === "public_scan") && !names.has(name))
    .map(([name, value, words]) => ({ href: add(name, value), text: t(words), count: counts.get(name) }));
  const lists = groups.map(({ kind, rows, isCounted }) =>
    facet(
      t(kind.title),
      rows.map(({ value, label, count }) => ({
        href: add(kind.parameter, value),
        text: markup`<bdi>${label}</bdi>`,
        count: isCounted ? count : undefined,
      })),
      {
        isOpen: !CLOSED.has(kind.field),
        above: kind.field === "first_publish_year" && yearForm(narrowing),
      },
    ),
  );
  if (numFound === 0) return markup`<div></div>`;
  return rail(t("search.narrow"), t("search.narrow_books", { count: numFound }), [
    readable.length > 0 && facet(t("search.reading"), readable),
    lists,
  ]);
}

function yearForm({ path, parameters }: Narrowing): Markup {
  const valueOf = (parameter: string): string => parameters.find(([name]) => name === parameter)?.[1] ?? "";
  const hidden = parameters
    .filter(([name]) => name !== "from" && name !== "to")
    .map(([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">`);
  const input = (name: "from" | "to"): Markup =>
    markup`<label for="${name}">${t(`search.${name}`)}</label><input id="${name}" name="${name}" value="${valueOf(name)}" inputmode="numeric" size="5" pattern="-?[0-9]{1,4}">`;
  return markup`<form class="line years-form" method="get" action="${path}">${hidden}${input("from")}${input("to")}<button>${t("layout.apply")}</button></form>`;
}
