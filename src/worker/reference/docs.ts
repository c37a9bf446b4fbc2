import * as z from "zod";
import { notFound } from "../http/errors.ts";
import { failure } from "../http/failure.ts";
import { type RequestContext, loadRoutes, baseUrl, operation } from "../http/operation.ts";
import { concretePath, pathTemplate, placeholdersOf } from "../http/paths.ts";
import { redirect } from "../http/reply.ts";
import { addressOf } from "../ui/markup.ts";
import { isInternal, isPage } from "./audience.ts";
import { type DocumentedRoute, QUERY_LENGTH, frontPage, resultPage, topicPage } from "./docs-page.ts";
import { type SearchedText, searchReference } from "./docs-search.ts";
import { readExamples } from "./examples.ts";
import { FIRST_CALLS, SIGN_IN_CALLS } from "./first-calls.ts";
import { GUIDES } from "./guides.ts";
import { openApiDocument } from "./openapi.ts";
import { TAGS, USUAL_PARAMETERS } from "./openapi-parts.ts";
import { schemaMembers } from "./operation-page.ts";

const KEEP = { isolate: 30, edge: 30 };

export const docs = operation({
  id: "docs",
  summary: "Show the documentation of this API",
  tag: "service",
  query: {
    q: z.string().max(QUERY_LENGTH).default("").describe("Words to search for in guides and operations"),
  },
  cache: KEEP,
  responses: { 200: { description: "Page of guides, calls and topics", contentType: "text/html" } },
  async handle({ query: { q } }, context) {
    const routes = await loadDocumentedRoutes(context);
    const site = { base: baseUrl(context), rate: context.settings.RATE_LIMIT_PER_MINUTE };
    if (q.trim() === "") return frontPage(routes, { ...site, examples: await readExamples(context) });
    const guides = GUIDES.map(({ id, title, words, text, rows = [] }) => ({
      href: `/docs#${id}`,
      title,
      texts: [
        { text: `${title} ${words}`, points: 12 },
        { text: [...text, ...rows.flat()].join(" "), points: 2 },
      ],
    }));
    const operations = routes.map((route) => ({
      href: `/docs/${route.operation.tag}#${route.operation.id}`,
      title: route.operation.summary,
      route,
      texts: textsOf(route),
    }));
    return resultPage(q, searchReference([...guides, ...operations], q));
  },
});

const FIRST = new Map([...SIGN_IN_CALLS, ...FIRST_CALLS].map((call) => [call.operation, call]));

/** Returns what is searched of an operation. The first calls come before others with the same words. */
function textsOf({ method, path, operation: documented, isFolded }: DocumentedRoute): SearchedText[] {
  const { id, summary, tag, query, path: places, body, form, responses } = documented;
  const call = FIRST.get(id);
  const weight = (call === undefined ? 1 : 1.5) * (isFolded ? 0.5 : 1);
  const parameters = Object.entries({ ...places, ...query, ...form });
  const abouts = parameters.map(([name, schema]) => schema.description ?? USUAL_PARAMETERS[name] ?? "");
  const answers = Object.values(responses).map(({ description }) => description);
  return [
    { text: `${method} ${path} ${summary}`, points: 6 * weight },
    { text: [call?.title, call?.about, ...(call?.parameters.flat() ?? [])].join(" "), points: 6 * weight },
    { text: parameters.map(([name]) => name).join(" "), points: 5 * weight },
    { text: `${id} ${tag} ${abouts.join(" ")} ${body?.description ?? ""}`, points: 3 * weight },
    { text: answers.join(" "), points: weight },
  ];
}

export const docsOfTag = operation({
  id: "docsOfTag",
  summary: "Show the operations of a tag",
  tag: "service",
  path: { tag: z.string().describe("Name of the tag, for example `search`") },
  cache: KEEP,
  responses: {
    200: { description: "Page of operations", contentType: "text/html" },
    404: { description: "Tag not found" },
  },
  async handle({ path: { tag } }, context) {
    if (!isTag(tag)) throw notFound();
    const routes = (await loadDocumentedRoutes(context)).filter((route) => route.operation.tag === tag);
    const { values } = await readExamples(context);
    const server = baseUrl(context);
    const { name: title } = await context.site();
    const { paths, components } = schemaMembers(
      openApiDocument(routes, { title, prefix: context.settings.RECORD_PREFIX, server }),
    );
    const described = schemaMembers(paths);
    return topicPage(tag, {
      routes,
      schemas: schemaMembers(components)["schemas"],
      values,
      server,
      describe: ({ method, path }) => schemaMembers(described[path])[method.toLowerCase()],
    });
  },
});

type Tag = keyof typeof TAGS;

function isTag(text: string): text is Tag {
  return Object.hasOwn(TAGS, text);
}

/** Loads the routes of the reference in its order: the common ones of a topic first, those that are folded last. */
async function loadDocumentedRoutes({ routes, settings }: RequestContext): Promise<DocumentedRoute[]> {
  const loaded = await loadRoutes(routes.filter(({ alias }) => !alias));
  return loaded
    .filter(({ operation: { tag } }) => isTag(tag))
    .map((route): DocumentedRoute => {
      const path = pathTemplate(concretePath(route.path, settings.RECORD_PREFIX));
      return Object.assign({}, route, { path, isFolded: isInternal(route) || isPage(route) });
    })
    .toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Operations that come first in their topic, and last. */
const COMMON = [
  ...FIRST_CALLS.map((call) => call.operation),
  "searchAuthors",
  "searchSubjects",
  "searchInside",
  "searchEditions",
  "searchFacets",
  "searchLists",
  "booksJson",
  "volumesSingle",
  "oclcRedirect",
  "lccnRedirect",
  "iaRedirect",
  "readAuthorWorks",
  "query",
  "publisher",
  "rate",
  "ratings",
  "bookshelves",
  "readPeopleList",
  "listsOfPatron",
  "recentChanges",
];
const LAST = new Set(["prices"]);

function rankOf({ operation: { id }, isFolded }: DocumentedRoute): number {
  const at = COMMON.indexOf(id);
  if (isFolded || LAST.has(id)) return COMMON.length + (isFolded ? 2 : 1);
  return at < 0 ? COMMON.length : at;
}

export const docsRun = operation({
  id: "docsRun",
  summary: "Redirect to the response of a read operation",
  tag: "service",
  query: {
    operation: z.string().describe("Operation id; each parameter of the operation is sent as `_name`"),
  },
  responses: {
    303: { description: "Redirect to the response" },
    400: { description: "Path parameter is missing" },
    404: { description: "Read operation not found" },
  },
  async handle({ query: { operation: id } }, context) {
    const route = (await loadDocumentedRoutes(context)).find(
      ({ method, operation: candidate }) => candidate.id === id && method === "GET",
    );
    if (route === undefined) throw notFound();
    const values = new Map<string, string>();
    for (const [name, value] of context.url.searchParams) {
      if (name.startsWith("_") && value !== "") values.set(name.slice(1), value);
    }
    const missing = placeholdersOf(route.path).find((name) => !values.has(name));
    if (missing !== undefined) throw failure("bad_data.missing_value", { name: missing });
    const path = route.path.replace(/\{(\w+)\}/g, (_all, name: string) => values.get(name) ?? "");
    const query = new URLSearchParams();
    for (const name of Object.keys(route.operation.query)) {
      const value = values.get(name);
      if (value !== undefined) query.set(name, value);
    }
    return redirect(303, `${addressOf(path)}${query.size === 0 ? "" : `?${query}`}`);
  },
});
