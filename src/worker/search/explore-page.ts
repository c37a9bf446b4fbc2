import type { FacetValue } from "../../search/engine.ts";
import type { Reply } from "../http/reply.ts";
import { type ShownBook, bookShelf } from "../ui/book-row.ts";
import { chips } from "../ui/chip.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, addressOf, markup } from "../ui/markup.ts";
import { firstNames } from "../ui/metadata.ts";
import { countTime, link } from "../ui/parts.ts";
import { section } from "../ui/values.ts";
import { type Words, t } from "../ui/words.ts";
import { yearBars } from "../ui/chart.ts";
import type { FacetRow } from "./facets.ts";
import { nameAddressOf } from "./result-parts.ts";

const EXPLORED_NAMES = 24;
const CENTURY = 100;

type Names = readonly { readonly name: string; readonly key: string; readonly count: number }[];

interface Explored {
  readonly books: readonly ShownBook[];
  /** Time of the counts, in UTC. */
  readonly counted: string;
  readonly lists: Readonly<Record<"subjects" | "people" | "places" | "times", Names>>;
  readonly years: readonly FacetValue[];
  readonly languages: readonly FacetRow[];
  readonly cacheControl: string;
}

export function explorePage({ books, counted, lists, cacheControl, ...counts }: Explored): Reply {
  const years = counts.years.map(({ value, count }) => ({ year: Number(value), count }));
  const centuries = new Set(years.map(({ year }) => Math.floor(year / CENTURY) * CENTURY));
  const centuryChips = Array.from(centuries)
    .toSorted((a, b) => a - b)
    .map((from) => {
      const to = from + CENTURY - 1;
      return { href: `/search?from=${from}&to=${to}`, text: `${from}–${to}` };
    });
  const languages = counts.languages
    .slice(0, EXPLORED_NAMES)
    .map(({ value, label, count }) => ({ href: addressOf(`/languages/${value}`), text: label, count }));
  return page({
    title: t("explore.title"),
    metadata: {
      description: firstNames(
        t("explore.title"),
        lists.subjects.map(({ name }) => name),
      ),
    },
    body: [
      books.length > 0 && section(t("explore.today"), bookShelf(books)),
      part("nav.subjects", nameChips(lists.subjects), ["/subjects", "explore.all_subjects"]),
      part("search.places", nameChips(lists.places)),
      part("search.times", nameChips(lists.times)),
      years.length > 0 && part("book.first", [yearBars(years), chips(centuryChips)]),
      part("search.people", nameChips(lists.people)),
      part("nav.languages", chips(languages), ["/languages", "explore.all_languages"]),
      countTime(counted),
      part("explore.more", chips(MORE_PAGES.map(([href, words]) => ({ href, text: t(words) })))),
    ],
    cacheControl,
  });
}

function part(heading: Words, content: Piece, all?: readonly [href: string, words: Words]): Piece {
  return section(t(heading), markup`${content}${all && markup`<p>${link(all[0], t(all[1]))}</p>`}`);
}

function nameChips(names: Names): Markup {
  const first = names.slice(0, EXPLORED_NAMES);
  return (
    chips(first.map(({ name, key, count }) => ({ href: nameAddressOf(key), text: name, count }))) ??
    markup`<p>${t("search.none_yet")}</p>`
  );
}

const MORE_PAGES: readonly (readonly [href: string, words: Words])[] = [
  ["/authors", "nav.authors"],
  ["/publishers", "nav.publishers"],
  ["/series", "lists.series"],
  ["/lists", "nav.lists"],
  ["/trending", "nav.trending"],
  ["/random", "home.random"],
];
