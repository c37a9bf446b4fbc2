import type { ChangeFilter } from "../../db/history/changes.ts";
import type { RequestContext } from "../http/operation.ts";
import { select } from "../ui/form.ts";
import { NAMED_KINDS } from "../ui/names.ts";
import { type Markup, addressOf, markup } from "../ui/markup.ts";
import { tabs } from "../ui/tabs.ts";
import { type Words, t } from "../ui/words.ts";
import { botCondition, botFilter, filterOf, parseDays } from "./change-query.ts";

export interface FilteredList {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

const WRITERS = [
  [undefined, t("history.anybody")],
  ["false", t("history.humans")],
  ["true", t("history.bots")],
] as const;

export async function readFormFilter(
  parameters: FilteredList["parameters"],
  { stores: { catalog, patrons } }: RequestContext,
): Promise<Pick<ChangeFilter, "author" | "kinds" | "bots" | "begin" | "end">> {
  const bots = await botFilter({ catalog, patrons }, botCondition(parameters["bot"]));
  const { kinds } = filterOf({ kind: parameters["kind"] || undefined });
  return { author: authorKey(parameters), kinds, bots, ...parseDays(parameters) };
}

/** Returns the key of an author, who may be given by the name of the account. */
export function authorKey({ author }: FilteredList["parameters"]): string | undefined {
  if (author === undefined || author.trim() === "") return undefined;
  return author.startsWith("/") ? author : `/people/${author.trim()}`;
}

export function writerTabs({ path, parameters }: FilteredList): Markup {
  const current = WRITERS.find(([bot]) => bot === parameters["bot"]) ?? WRITERS[0];
  return tabs(
    t("history.whose"),
    WRITERS.map((writer) => {
      const [bot, text] = writer;
      const href = filteredAddress({ path, parameters: { ...parameters, bot, page: undefined } });
      return { href, text, isCurrent: writer === current };
    }),
  );
}

function day(name: "begin" | "end", label: Words, value: string): Markup {
  return markup`<span><label for="changes-${name}">${t(label)}</label> <input type="date" id="changes-${name}" name="${name}" value="${value}"></span>`;
}

export function filterForm({ path, parameters }: FilteredList): Markup {
  const { author = "", kind = "", begin = "", end = "" } = parameters;
  const kinds = NAMED_KINDS.map((words) => [words.slice("kind.".length), t(words)] as const);
  const isOther = kind !== "" && !kinds.some(([name]) => name === kind);
  const options = [
    ["", t("history.all_kinds")] as const,
    ...kinds,
    ...(isOther ? [[kind, kind] as const] : []),
  ];
  const isFiltered = [author, kind, begin, end].some((value) => value !== "");
  return markup`<details class="card"${isFiltered && markup` open`}><summary>${t("history.filter")}</summary>
<form action="${addressOf(path)}" class="line">${["m", "key", "bot"].map(
    (name) =>
      parameters[name] !== undefined &&
      markup`<input type="hidden" name="${name}" value="${parameters[name]}">`,
  )}
<span>${select({ name: "kind", label: t("history.kind"), options, chosen: kind })}</span>
<span><label for="author">${t("history.user_hint")}</label> <input id="author" name="author" value="${author.replace("/people/", "")}" maxlength="100"></span>
${day("begin", "history.begin", begin)}
${day("end", "history.end", end)}
<button>${t("history.show")}</button></form></details>`;
}

export function filteredAddress({ path, parameters }: FilteredList): string {
  const entries = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const query = new URLSearchParams(entries).toString();
  return addressOf(path) + (query === "" ? "" : `?${query}`);
}
