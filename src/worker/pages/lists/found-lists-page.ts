import { PLAIN_WINDOW_MAX } from "../../../db/search/plain/search.ts";
import type { FoundLists } from "../../lists/found-lists.ts";
import { FOUND_LISTS } from "../../lists/found-lists.ts";
import type { Reply } from "../../reply.ts";
import { form } from "../forms.ts";
import { page } from "../layout.ts";
import { type Markup, markup } from "../markup.ts";
import { link } from "../parts.ts";
import { placeLinks, searchKinds } from "../search/parts.ts";
import { listTable } from "./lists-of-page.ts";

const SEARCH = "/search/lists";

/** All lists, or those that were searched for. */
export interface FoundListsPage extends FoundLists {
  /** The words that were searched for; empty on the page of all lists. */
  readonly text: string;
  /** Which page, from 1. */
  readonly number: number;
  /** Path of the page. */
  readonly path: string;
}

/** Lists for people: a search form, and a page of lists. */
export function foundListsPage({ numFound, lists, text, number, path }: FoundListsPage): Reply {
  const to = (one: number): string => `${path}?${new URLSearchParams({ q: text, page: String(one) })}`;
  return page({
    title: text === "" ? "Lists" : `Lists with “${text}”`,
    body: markup`${path === SEARCH && searchKinds(SEARCH, text)}${form({
      action: SEARCH,
      method: "get",
      fields: [{ name: "q", label: "Words in the name of a list or series", value: text }],
      submit: "Search",
    })}
<p>${numFound === 1 ? "1 list or series" : `${numFound} lists and series`}.
${text === "" ? makeLinks() : link("/lists", "All lists")}</p>
${lists.length > 0 && listTable(lists, { caption: text === "" ? "Lists, last changed first" : "Lists, best first", time: "Last changed" })}
${numFound > 0 && placeLinks({ page: number, numFound, size: FOUND_LISTS, window: PLAIN_WINDOW_MAX, addressOf: to })}`,
  });
}

function makeLinks(): Markup {
  return markup`${link("/lists/add", "Make a list of the community")} or ${link("/series/add", "a series")}.`;
}
