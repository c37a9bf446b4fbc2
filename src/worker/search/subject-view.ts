import * as z from "zod";
import { WINDOW_WORKS_MAX } from "../../search/engine.ts";
import type { PageTarget } from "../../search/present/subjects.ts";
import { VARY_LANGUAGE } from "../http/accept.ts";
import type { Reply } from "../http/reply.ts";
import { field } from "../ui/form.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, addressOf, grouped, markup, shortText } from "../ui/markup.ts";
import { link, table } from "../ui/parts.ts";
import { type Parameters, TARGET_PAGE_WORKS, numberedAddress, pageAddress } from "./page-address.ts";
import {
  type PagePlace,
  LENDING_NOTES,
  choice,
  counted,
  coverImage,
  jsonLink,
  nameLinks,
  placeLinks,
  placeText,
  workAddress,
} from "./result-parts.ts";
import { nameList } from "./subject-index.ts";
import type { AboutSubject } from "./about-subject.ts";

const SORTS: readonly (readonly [string, string])[] = [
  ["editions", "Most editions"],
  ["old", "First published, oldest first"],
  ["new", "First published, newest first"],
  ["title", "Title"],
  ["rating", "Rating"],
  ["readinglog", "Most readers"],
  ["trending", "Trending"],
];

const name = z.object({ name: z.string(), key: z.string(), count: z.int() });
const names = z.array(name).default([]);

/** What the page shows of the answer for programs, `/subjects/{key}.json?details=true`. */
const answer = z.object({
  name: z.string(),
  work_count: z.int(),
  works: z.array(
    z.object({
      key: z.string(),
      title: z.string(),
      edition_count: z.int(),
      cover_id: z.int().nullable(),
      authors: z.array(z.object({ key: z.string(), name: z.string() })),
      first_publish_year: z.int().nullable(),
      availability: z.object({ status: z.string() }).nullish(),
    }),
  ),
  subjects: names,
  people: names,
  places: names,
  times: names,
  authors: names,
  publishers: names,
  languages: z.array(z.object({ name: z.string(), count: z.int() })).default([]),
  publishing_history: z.array(z.tuple([z.int(), z.int()])).default([]),
});
type Answer = z.output<typeof answer>;

/** The page of a subject or publisher. */
interface TargetView {
  readonly target: PageTarget;
  /** Path of the page. */
  readonly path: string;
  readonly asked: {
    readonly sort: string;
    readonly page: number;
    readonly readable: boolean;
    readonly years: string;
  };
  /** The answer for programs. */
  readonly body: unknown;
  readonly about: AboutSubject;
  /** Names of languages by code. */
  readonly languages: ReadonlyMap<string, string>;
  readonly cacheControl: string;
}

/** Works about a subject or by a publisher, and what they have in common. */
export function targetPage(view: TargetView): Reply {
  const { target, path, asked, about, cacheControl } = view;
  const shown = answer.parse(view.body);
  const parameters: Parameters = [
    ["sort", asked.sort === "editions" ? "" : asked.sort],
    ["published_in", asked.years],
    ["has_fulltext", asked.readable ? "true" : ""],
  ];
  const place: PagePlace = {
    page: asked.page,
    numFound: shown.work_count,
    size: TARGET_PAGE_WORKS,
    window: WINDOW_WORKS_MAX,
    addressOf: (number) => numberedAddress(path, parameters, number),
  };
  return page({
    title: shown.name,
    body: markup`<p>${KINDS[target.type]}</p>
${about.tag !== null && markup`<p>${link(about.tag, "What this subject is")}</p>`}
${about.authors.length > 0 && markup`<p>Notable authors: ${about.authors.map((author, at) => [at > 0 && ", ", link(author.key, author.name)])}</p>`}
${filterForm(path, asked)}
<p role="status">${counted(shown.work_count, "work", "works")}${placeText(place)}.</p>
${workList(shown, (asked.page - 1) * TARGET_PAGE_WORKS + 1)}
${placeLinks(place)}
${common(shown, view)}
${target.type !== "publisher" && markup`<p>${link(`${path}/lists`, "Lists with this subject")}</p>`}
${jsonLink(pageAddress(`${path}.json`, [...parameters, ["details", "true"]]))}`,
    cacheControl,
    headers: { Vary: `Accept, ${VARY_LANGUAGE}` },
  });
}

const KINDS: Readonly<Record<PageTarget["type"], string>> = {
  subject: "Books about this subject",
  person: "Books about this person",
  place: "Books about this place",
  time: "Books about this time",
  publisher: "Books by this publisher",
};

function filterForm(path: string, { sort, readable, years }: TargetView["asked"]): Markup {
  return markup`<form method="get" action="${path}">
${choice({ name: "sort", label: "Order", options: SORTS, chosen: sort })}
${[
  field({
    name: "published_in",
    label: "Published in",
    value: years,
    hint: "A year such as 1960, or years such as 1960-1969",
  }),
  field({
    name: "has_fulltext",
    label: "Only books that can be read or borrowed",
    type: "checkbox",
    checked: readable,
  }),
]}<p><button type="submit">Show</button></p></form>`;
}

function workList({ works }: Answer, first: number): Piece {
  if (works.length === 0) return undefined;
  return markup`<ol class="books" start="${first}">${works.map((work) => {
    const { key, edition_count: editions, authors, first_publish_year: year } = work;
    const title = shortText(work.title);
    const notes = [
      year !== null && `First published ${year}`,
      counted(editions, "edition", "editions"),
      LENDING_NOTES.get(work.availability?.status ?? "") ?? false,
    ].filter((note) => note !== false);
    return markup`<li>${coverImage(work.cover_id, title)}
<p><a href="${workAddress(key)}"><cite>${title}</cite></a>${nameLinks(authors)}</p>
<p class="hint">${notes.join(" · ")}</p></li>`;
  })}</ol>`;
}

function common(shown: Answer, { languages }: TargetView): Piece {
  const named = [
    ["Related subjects", shown.subjects],
    ["People", shown.people],
    ["Places", shown.places],
    ["Times", shown.times],
    ["Authors", shown.authors],
    ["Publishers", shown.publishers],
  ] as const;
  const lists: [string, Piece][] = [
    ...named.map(([title, list]): [string, Piece] => [title, list.length > 0 && nameList(list)]),
    ["Languages", shown.languages.length > 0 && languageList(shown, languages)],
    ["Publishing history", shown.publishing_history.length > 0 && history(shown)],
  ];
  const sections = lists
    .filter(([, list]) => list !== false)
    .map(([title, list]) => markup`<h3>${title}</h3>${list}`);
  if (sections.length === 0) return undefined;
  return markup`<section aria-labelledby="common"><h2 id="common">What these works have in common</h2>
<p class="hint">The numbers are those of works on this page and its other pages.</p>${sections}</section>`;
}

function languageList({ languages: counts }: Answer, languages: ReadonlyMap<string, string>): Markup {
  const items = counts.map(
    ({ name: code, count }) =>
      markup`<li>${link(addressOf(`/languages/${code}`), languages.get(code) ?? code)} (${grouped(count)})</li>`,
  );
  return markup`<ul>${items}</ul>`;
}

function history({ publishing_history: years }: Answer): Markup {
  return table({
    caption: "Works by the years of their editions",
    columns: ["Year", "Works"],
    rows: years.map(([year, count]) => [year, count]),
  });
}
