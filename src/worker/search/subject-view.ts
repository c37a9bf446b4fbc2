import * as z from "zod";
import { WINDOW_WORKS_MAX } from "../../search/engine.ts";
import type { NamedAuthor } from "../../search/present/authors.ts";
import type { PageTarget } from "../../search/present/subjects.ts";
import { textLanguageOf } from "../../catalog/title-language.ts";
import type { Reply } from "../http/reply.ts";
import { bookRow, bookRows, editionsLine } from "../ui/book-row.ts";
import { chips } from "../ui/chip.ts";
import { pictureId, previewImage } from "../ui/cover.ts";
import { dropper } from "../ui/dropper.ts";
import { field, select } from "../ui/form.ts";
import type { OpenableScans } from "../lending/service/openable.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, addressOf, markup, shortText } from "../ui/markup.ts";
import { collectionMetadata, feedsOf } from "../ui/metadata.ts";
import { commas, countTime, dots, link } from "../ui/parts.ts";
import { type Words, t } from "../ui/words.ts";
import { workAddressOf } from "../../search/present/works.ts";
import { yearBars } from "../ui/chart.ts";
import {
  type PageParameters,
  type PagePlace,
  TARGET_PAGE_WORKS,
  WORK_SORTS,
  lendingNote,
  renderJsonLink,
  nameAddressOf,
  numberedAddressOf,
  pageAddressOf,
  renderPlaceLinks,
  renderPlace,
} from "./result-parts.ts";

const name = z.object({ name: z.string(), key: z.string(), count: z.int() });
const names = z.array(name).default([]);

const subjectSchema = z.object({
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
      availability: z.object({ status: z.string(), identifier: z.string().nullish() }).nullish(),
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
type Subject = z.output<typeof subjectSchema>;

export interface AboutSubject {
  readonly authors: readonly NamedAuthor[];
  readonly tag: string | null;
}

interface TargetView {
  target: PageTarget;
  path: string;
  params: {
    sort: string;
    page: number;
    isReadable: boolean;
    years: string;
  };
  body: unknown;
  openable: OpenableScans;
  /** MARC codes of the languages of each work. */
  codes: readonly (readonly string[])[];
  /** Time of the counts, naive UTC. */
  counted: string;
  about: AboutSubject;
  languages: ReadonlyMap<string, string>;
  cacheControl: string;
}

export function renderTargetPage(view: TargetView): Reply {
  const { target, path, params, about, cacheControl } = view;
  const subject = subjectSchema.parse(view.body);
  const parameters: PageParameters = [
    ["sort", params.sort === "editions" ? "" : params.sort],
    ["published_in", params.years],
    ["has_fulltext", params.isReadable ? "true" : ""],
  ];
  const place: PagePlace = {
    page: params.page,
    numFound: subject.work_count,
    size: TARGET_PAGE_WORKS,
    window: WINDOW_WORKS_MAX,
    addressOf: (number) => numberedAddressOf(path, parameters, number),
  };
  const worksLine = t("author.works", { count: subject.work_count });
  const isDescribed = about.tag !== null || about.authors.length > 0;
  return page({
    title: subject.name,
    heading: markup`<span dir="auto">${subject.name}</span>`,
    metadata: collectionMetadata({
      address: numberedAddressOf(path, [], params.page),
      name: subject.name,
      size: dots([target.type !== "subject" && t(KINDS[target.type]), worksLine]),
      image: previewImage(subject.works.map(({ cover_id: id }) => pictureId(id))),
      total: subject.work_count,
      items: subject.works.map(({ key, title }) => ({ href: addressOf(key), title: shortText(title) })),
      json: `${path}.json`,
      feeds: feedsOf(path),
    }),
    body: markup`<p class="soft">${target.type !== "subject" && markup`${t(KINDS[target.type])} · `}<span role="status">${worksLine}${renderPlace(place)}</span></p>
${
  isDescribed &&
  markup`<p>${dots([
    about.tag !== null && link(about.tag, t("subject.about")),
    about.authors.length > 0 &&
      t("subject.authors", {
        authors: commas(about.authors.map(({ key, name: text }) => link(key, text))),
      }),
  ])}</p>`
}
${yearBars(subject.publishing_history.map(([year, count]) => ({ year, count })))}
${filterForm(path, params)}
${workList(subject, view, (params.page - 1) * TARGET_PAGE_WORKS + 1)}
${renderPlaceLinks(place)}
${commonValues(subject, view)}
${target.type !== "publisher" && markup`<p>${link(`${path}/lists`, t("subject.lists"))}</p>`}
${renderJsonLink(pageAddressOf(`${path}.json`, [...parameters, ["details", "true"]]))}`,
    cacheControl,
  });
}

const KINDS: Readonly<Record<Exclude<PageTarget["type"], "subject">, Words>> = {
  person: "subject.kind_person",
  place: "subject.kind_place",
  time: "subject.kind_time",
  publisher: "subject.kind_publisher",
};

function filterForm(path: string, { sort, isReadable, years }: TargetView["params"]): Markup {
  const options = WORK_SORTS.map(([value, words]) => [value, t(words)] as const);
  return markup`<details class="narrow"${(years !== "" || isReadable) && markup` open`}><summary class="button">${t("search.order_narrow")}</summary>
<form method="get" action="${path}">
<div>${select({ name: "sort", label: t("search.order"), options, chosen: sort })}</div>
${[
  field({
    name: "published_in",
    label: t("subject.published_in"),
    value: years,
    hint: t("subject.published_hint"),
  }),
  field({
    name: "has_fulltext",
    label: t("subject.readable"),
    type: "checkbox",
    checked: isReadable,
  }),
]}<p><button>${t("layout.apply")}</button></p></form></details>`;
}

function workList({ works }: Subject, { codes, openable }: TargetView, first: number): Piece {
  if (works.length === 0) return undefined;
  const rows = works.map((work, at) => {
    const { key, edition_count: editions, authors, first_publish_year: year } = work;
    const href = workAddressOf(key);
    const notes = dots([editionsLine(editions, year ?? undefined), lendingNote(work.availability, openable)]);
    const book = {
      key,
      href,
      title: shortText(work.title),
      lang: textLanguageOf(work.title, codes[at] ?? []),
      authors: authors.map(({ key: author, name: text }) => ({ href: author, name: text })),
      cover: pictureId(work.cover_id),
    };
    const action = href === key && key.startsWith("/works/") ? dropper(book) : undefined;
    return bookRow(book, { notes: [notes], action, isFirst: at < 4 });
  });
  return bookRows(rows, first);
}

function commonValues(subject: Subject, { languages, counted }: TargetView): Piece {
  const languageNames = subject.languages.map(({ name: code, count }) => {
    return { name: languages.get(code) ?? code, key: `/languages/${code}`, count };
  });
  const lists: readonly (readonly [Words, Subject["subjects"]])[] = [
    ["subject.related", subject.subjects],
    ["search.people", subject.people],
    ["search.places", subject.places],
    ["search.times", subject.times],
    ["nav.authors", subject.authors],
    ["nav.publishers", subject.publishers],
    ["nav.languages", languageNames],
  ];
  const sections = lists.flatMap(([words, list]) => {
    const links = chips(
      list.map(({ name: text, key, count }) => ({ href: nameAddressOf(key), text, count })),
    );
    return links === undefined ? [] : [markup`<h3>${t(words)}</h3>${links}`];
  });
  if (sections.length === 0) return undefined;
  return markup`<section aria-labelledby="common"><h2 id="common">${t("subject.common")}</h2>
${sections}
${countTime(counted)}</section>`;
}
