import * as z from "zod";
import { readDerived } from "../http/derived-answers.ts";
import { notFound } from "../http/errors.ts";
import { Failure, failure } from "../http/failure.ts";
import { type RequestContext, type LoadedRoute, loadRoutes, baseUrl, operation } from "../http/operation.ts";
import { concretePath, pathTemplate, placeholdersOf } from "../http/paths.ts";
import { type Reply, redirect } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { type Markup, addressOf, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { tabs } from "../ui/tabs.ts";
import { number, t } from "../ui/words.ts";
import { operationSection, Shapes, schemaMembers } from "./docs-operation.ts";
import { findMostReprinted } from "../site/home.ts";
import { openApiDocument } from "./openapi.ts";
import { TAGS } from "./openapi-parts.ts";

const KEEP = { isolate: 300, edge: 300 };
const CACHE = "public, max-age=300";
const QUERY_LENGTH = 100;

export const docs = operation({
  id: "docs",
  summary: "Show the documentation of this API",
  tag: "service",
  query: { q: z.string().max(QUERY_LENGTH).default("").describe("Words to search for in the operations") },
  cache: KEEP,
  responses: { 200: { description: "Page of operations", contentType: "text/html" } },
  handle: ({ query: { q } }, context) => (q.trim() === "" ? indexPage(context) : resultPage(q, context)),
});

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
    return tagPage(tag, context, await examplesOf(context));
  },
});

type Tag = keyof typeof TAGS;

function isTag(text: string): text is Tag {
  return Object.hasOwn(TAGS, text);
}

async function loadDocumentedRoutes({ routes }: RequestContext): Promise<LoadedRoute[]> {
  const loaded = await loadRoutes(routes.filter(({ alias }) => !alias));
  return loaded.filter(({ operation: { tag } }) => isTag(tag));
}

function searchForm(q = ""): Markup {
  return markup`<form role="search" aria-label="${t("docs.search")}" action="/docs" class="line"><label for="docs-search">${t("docs.search")}</label>
<input id="docs-search" name="q" type="search" value="${q}" maxlength="${QUERY_LENGTH}"> <button>${t("layout.search")}</button></form>`;
}

async function indexPage(context: RequestContext): Promise<Reply> {
  const counts = Map.groupBy(await loadDocumentedRoutes(context), ({ operation: { tag } }) => tag);
  const body = markup`<p>${t("docs.lead", { json: link("/openapi.json", "/openapi.json") })}</p>
${searchForm()}
<dl class="facts" lang="en" dir="ltr">${Object.entries(TAGS).map(
    ([tag, about]) =>
      markup`<dt><a href="/docs/${tag}">${tag}</a><span class="n">${number(counts.get(tag)?.length ?? 0)}</span></dt><dd>${about}</dd>`,
  )}</dl>`;
  return page({ title: t("docs.title"), body, cacheControl: CACHE });
}

async function resultPage(q: string, context: RequestContext): Promise<Reply> {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = (await loadDocumentedRoutes(context)).filter(
    ({ method, path, operation: { id, summary, tag } }) => {
      const text = `${method} ${path} ${id} ${summary} ${tag}`.toLowerCase();
      return words.every((word) => text.includes(word));
    },
  );
  const body = markup`${searchForm(q)}
<p role="status">${t("docs.found", { count: matching.length })}</p>
${listOf(matching, context)}
<p>${link("/docs", t("docs.all"))}</p>`;
  return page({ title: t("docs.title"), body, cacheControl: CACHE });
}

function listOf(routes: readonly LoadedRoute[], context: RequestContext): Markup {
  const items = routes.map(
    ({ method, path, operation: { id, summary, tag } }) =>
      markup`<li><p><a href="/docs/${tag}#${id}">${summary}</a></p><p dir="ltr"><code>${method} ${displayPath(path, context)}</code></p></li>`,
  );
  return markup`<ul class="books" lang="en">${items}</ul>`;
}

function displayPath(path: string, { settings }: RequestContext): string {
  return pathTemplate(concretePath(path, settings.RECORD_PREFIX));
}

async function tagPage(
  tag: Tag,
  context: RequestContext,
  examples: Readonly<Record<string, string>>,
): Promise<Reply> {
  const server = baseUrl(context);
  const routes = (await loadDocumentedRoutes(context)).filter(
    ({ operation: routeOperation }) => routeOperation.tag === tag,
  );
  const prefix = context.settings.RECORD_PREFIX;
  const { paths, components } = schemaMembers(openApiDocument(routes, { prefix, server }));
  const shapes = new Shapes(schemaMembers(components)["schemas"]);
  const sections = Object.entries(schemaMembers(paths)).flatMap(([path, methods]) =>
    Object.entries(schemaMembers(methods)).map(([method, described]) =>
      operationSection(
        { method: method.toUpperCase(), path, operation: described, server, examples },
        shapes,
      ),
    ),
  );
  const all = Object.keys(TAGS).map((name) => ({
    href: `/docs/${name}`,
    text: name,
    isCurrent: name === tag,
  }));
  const body = markup`${tabs(t("docs.title"), all)}
${searchForm()}
<p lang="en" dir="ltr">${TAGS[tag]}</p>
<details><summary>${t("docs.found", { count: routes.length })}</summary>${listOf(routes, context)}</details>
${sections}`;
  const title = t("list.pair", { name: t("docs.title"), value: markup`<span lang="en">${tag}</span>` });
  return page({
    title: t("docs.title"),
    heading: title,
    body,
    cacheControl: CACHE,
    script: "/static/docs.js",
  });
}

const EXAMPLE_SECONDS = 3600;

/** Returns parameter values that exist in this catalog, from the work with most editions. At most one round trip. */
async function examplesOf(context: RequestContext): Promise<Readonly<Record<string, string>>> {
  const fields = ["key", "title", "edition_key", "author_key", "isbn", "subject"];
  const make = async () => {
    const [work = {}] = await findMostReprinted(context, "docs", { rows: 1, fields });
    return examplesOfWork(work);
  };
  try {
    return await readDerived(context, { name: "examples:v1", seconds: EXAMPLE_SECONDS, make });
  } catch (error) {
    // The reference works without examples.
    if (error instanceof Failure) return {};
    throw error;
  }
}

function numberOf(key: string): string {
  return /\d+/.exec(key)?.[0] ?? "";
}

function examplesOfWork(work: Readonly<Record<string, unknown>>): Record<string, string> {
  const first = (name: string): string => String([work[name]].flat()[0] ?? "");
  const edition = first("edition_key");
  const isbn = first("isbn");
  const all = {
    work_id: numberOf(first("key")),
    edition_id: numberOf(edition),
    author_id: numberOf(first("author_key")),
    q: first("title"),
    isbn,
    bibkeys: edition === "" ? "" : `OLID:${edition}`,
    olid: edition,
    slug: "-",
    brief_or_full: "brief",
    idtype: "isbn",
    idval: isbn,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
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
    const path = displayPath(route.path, context).replace(
      /\{(\w+)\}/g,
      (_all, name: string) => values.get(name) ?? "",
    );
    const query = new URLSearchParams();
    for (const name of Object.keys(route.operation.query)) {
      const value = values.get(name);
      if (value !== undefined) query.set(name, value);
    }
    return redirect(303, `${addressOf(path)}${query.size === 0 ? "" : `?${query}`}`);
  },
});
