import { readOpenable } from "../lending/service/openable.ts";
import * as z from "zod";
import { minuteOf } from "../../catalog/datetime.ts";
import { findTag } from "../../db/records/tags.ts";
import { NOTABLE, NOTABLE_SAMPLE, NOTABLE_SORTS, notableAuthorsOf } from "../../search/present/authors.ts";
import {
  type PageTarget,
  toPublisherTarget,
  toSubjectTarget,
  targetQueryOf,
} from "../../search/present/subjects.ts";
import { parseWorkSort } from "../../search/sorts.ts";
import { readDerived } from "../http/derived-answers.ts";
import { notFound } from "../http/errors.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { boolean, pageNumber } from "../http/parameters.ts";
import { type Reply, redirect } from "../http/reply.ts";
import { askIndex } from "./guarded.ts";
import { readLanguageNames } from "./known-languages.ts";
import { describeSort } from "./parameters.ts";
import { TARGET_PAGE_WORKS, nameAddressOf } from "./result-parts.ts";
import { type AboutSubject, renderTargetPage } from "./subject-view.ts";
import { publisherPage, readSubject, subjectPage, subjectResponse, withoutPlus } from "./subject.ts";

const OLD_FOLDERS = new Map([
  ["people", "person"],
  ["places", "place"],
  ["times", "time"],
]);

/** Returns the canonical key of a subject in an address: lower case, `person:` for `people/`, no `+` for a blank. */
export function canonicalSubjectKey(key: string): string {
  const lower = withoutPlus(key.toLowerCase());
  const slash = lower.indexOf("/");
  const kind = OLD_FOLDERS.get(slash === -1 ? "" : lower.slice(0, slash));
  return kind === undefined ? lower : `${kind}:${lower.slice(slash + 1)}`;
}

const query = {
  sort: z.string().default("editions").meta(describeSort(parseWorkSort)),
  page: pageNumber(),
  has_fulltext: boolean().catch(false).default(false).describe("Only works that can be read or borrowed"),
  published_in: z.string().default("").describe("Year, or range of years such as 1850-1899"),
};
type PageParams = z.output<z.ZodObject<typeof query>>;

const responses = {
  200: { description: "HTML page or JSON", schema: subjectResponse, also: ["text/html"] },
  404: { description: "Subject or publisher without works (browsers)" },
};

export const subjectPageForPeople = operation({
  id: "subjectPage",
  summary: "Show the page of a subject",
  tag: "subjects",
  path: { key: z.string().min(1).describe("Key such as love, person:mark_twain, place:france, time:1850s") },
  query,
  responses: { ...responses, 301: { description: "Redirect to the canonical address" } },
  programs: subjectPage,
  async handle({ path: { key }, query: params }, context) {
    const canonical = canonicalSubjectKey(key);
    if (canonical === key) return showPage(toSubjectTarget(key), params, context);
    const location = nameAddressOf(`/subjects/${canonical}`) + context.url.search;
    return redirect(301, location, { headers: { Vary: "Accept" } });
  },
});

export const publisherPageForPeople = operation({
  id: "publisherPage",
  summary: "Show the page of a publisher",
  tag: "subjects",
  path: { key: z.string().min(1).describe("Name of the publisher; underscores stand for blanks") },
  query,
  responses,
  programs: publisherPage,
  handle: ({ path: { key }, query: params }, context) => showPage(toPublisherTarget(key), params, context),
});

async function showPage(target: PageTarget, params: PageParams, context: RequestContext): Promise<Reply> {
  const { page, has_fulltext: isReadable } = params;
  const { refusal } = parseWorkSort(params.sort, context.now);
  const sort = refusal === undefined ? params.sort : "editions";
  const years = params.published_in.trim();
  const reading = readSubject(
    target,
    {
      sort,
      page,
      limit: TARGET_PAGE_WORKS,
      details: true,
      has_fulltext: isReadable,
      ebooks_only: false,
      published_in: years,
    },
    context,
  );
  const hasWorks = reading.then(
    ({ body }) => body["work_count"] !== 0,
    () => false,
  );
  const [{ body, cacheControl, codes, facets }, openable, about, languages] = await Promise.all([
    reading,
    reading.then(({ hasLoans }) => (hasLoans ? readOpenable(context) : undefined)),
    target.type === "publisher" ? { authors: [], tag: null } : readAbout(target, hasWorks, context),
    readLanguageNames(context),
  ]);
  // A page without works because of its filters shows how to remove them.
  if (body["work_count"] === 0 && !isReadable && years === "") throw notFound();
  return renderTargetPage({
    target,
    path: nameAddressOf(target.key.replaceAll(" ", "_")),
    params: { sort, page, isReadable, years },
    body,
    openable,
    codes,
    counted: minuteOf(facets?.asOf ?? context.now),
    about,
    languages,
    cacheControl,
  });
}

const ABOUT_SECONDS = 43_200;

/** Reads notable authors and tag of a subject, up to half a day old (Q446). The result is cached only if the subject has works. */
async function readAbout(
  target: PageTarget,
  hasWorks: Promise<boolean>,
  context: RequestContext,
): Promise<AboutSubject> {
  const { field, value } = target;
  const search = {
    query: targetQueryOf(target),
    filters: [NOTABLE],
    editionClauses: [],
    start: 0,
    rows: NOTABLE_SAMPLE,
    withEditions: false,
    fields: ["author_key", "author_name"],
  };
  return readDerived(context, {
    name: `about:v1:${field}:${value}`,
    seconds: ABOUT_SECONDS,
    make: async () => {
      const [samples, tag] = await Promise.all([
        askIndex(context, target.key, (engine) =>
          Promise.all(
            NOTABLE_SORTS.map((by) => engine.works({ ...search, sort: [{ field: by, descending: true }] })),
          ),
        ),
        findTag(catalogReader(context), { type: target.type, slug: value }),
      ]);
      const authors = notableAuthorsOf(samples.map(({ documents }) => documents));
      return { authors, tag: tag ?? null };
    },
    isKept: hasWorks,
  });
}
