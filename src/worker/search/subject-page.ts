import * as z from "zod";
import { type PageTarget, publisherTarget, subjectTarget } from "../../search/present/subjects.ts";
import { parseWorkSort } from "../../search/sorts.ts";
import { notFound } from "../http/errors.ts";
import { type RequestContext, baseUrl, operation } from "../http/operation.ts";
import { boolean, pageNumber } from "../http/parameters.ts";
import { type Reply, redirect } from "../http/reply.ts";
import { aboutSubject } from "./about-subject.ts";
import { keptLanguageNames } from "./facets.ts";
import { TARGET_PAGE_WORKS } from "./page-address.ts";
import { sortNames } from "./parameters.ts";
import { nameAddress } from "./result-parts.ts";
import { targetPage } from "./subject-view.ts";
import { pageAnswer, publisherPage, readPage, subjectPage } from "./subject.ts";

/** Folders that subjects of other kinds had. */
const OLD_FOLDERS = new Map([
  ["people", "person"],
  ["places", "place"],
  ["times", "time"],
]);

/** The part of a subject's address after `/subjects/` as it is written now: small letters, `person:` for `people/`. */
export function settledSubject(key: string): string {
  const lower = key.toLowerCase();
  const slash = lower.indexOf("/");
  const kind = OLD_FOLDERS.get(slash === -1 ? "" : lower.slice(0, slash));
  return kind === undefined ? lower : `${kind}:${lower.slice(slash + 1)}`;
}

/** Parameters of pages for people: what makes no sense is taken as not said. */
const query = {
  sort: z.string().default("editions").meta(sortNames(parseWorkSort)),
  page: pageNumber(),
  has_fulltext: boolean().catch(false).default(false).describe("Only works that can be read or borrowed"),
  published_in: z.string().default("").describe("A year, or two years with a hyphen"),
};
type PageQuery = z.output<z.ZodObject<typeof query>>;

const responses = {
  200: { description: "A page, or JSON for programs", schema: pageAnswer, also: ["text/html"] },
  404: { description: "For people: no works" },
};

/** `GET /subjects/{key}`: the works about a subject for people, and for programs the same as with `.json`. */
export const subjectPageForPeople = operation({
  id: "subjectPage",
  summary: "Works about a subject, as a page",
  tag: "subjects",
  path: { key: z.string().min(1).describe("Such as love, person:mark_twain, place:france, time:1850s") },
  query,
  responses: { ...responses, 301: { description: "The address as it is written now" } },
  programs: subjectPage,
  async handle({ path: { key }, query: asked }, context) {
    const settled = settledSubject(key);
    if (settled === key) return show(subjectTarget(key), asked, context);
    const location = nameAddress(`/subjects/${settled}`) + context.url.search;
    return redirect(301, location, { headers: { Vary: "Accept" } });
  },
});

/** `GET /publishers/{key}`: the works of a publisher for people, and for programs the same as with `.json`. */
export const publisherPageForPeople = operation({
  id: "publisherPage",
  summary: "Works of a publisher, as a page",
  tag: "subjects",
  path: { key: z.string().min(1).describe("Name of the publisher, blanks as they are or as underscores") },
  query,
  responses,
  programs: publisherPage,
  handle: ({ path: { key }, query: asked }, context) => show(publisherTarget(key), asked, context),
});

async function show(target: PageTarget, asked: PageQuery, context: RequestContext): Promise<Reply> {
  const { message } = parseWorkSort(asked.sort, context.now);
  const sort = message === undefined ? asked.sort : "editions";
  const years = asked.published_in.trim();
  const wanted = {
    sort,
    page: asked.page,
    limit: TARGET_PAGE_WORKS,
    details: true,
    has_fulltext: asked.has_fulltext,
    ebooks_only: false,
    published_in: years,
    offset: undefined,
  };
  const reading = readPage(target, wanted, context);
  const hasWorks = reading.then(
    ({ body }) => body["work_count"] !== 0,
    () => false,
  );
  const [read, about, languages] = await Promise.all([
    reading,
    target.type === "publisher" ? { authors: [], tag: null } : aboutSubject(target, hasWorks, context),
    keptLanguageNames(context),
  ]);
  const isNarrowed = asked.has_fulltext || years !== "";
  // A page that is narrowed to nothing still says how to widen it.
  if (read.body["work_count"] === 0 && !isNarrowed) throw notFound();
  return targetPage({
    target,
    path: nameAddress(target.key.replaceAll(" ", "_")),
    asked: { sort, page: asked.page, readable: asked.has_fulltext, years },
    body: read.body,
    about,
    languages,
    cacheControl: read.cacheControl,
    site: baseUrl(context),
  });
}
