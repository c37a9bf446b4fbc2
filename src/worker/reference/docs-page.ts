import type { LoadedRoute } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { tabs } from "../ui/tabs.ts";
import { number, t } from "../ui/words.ts";
import { SAMPLE_LANGUAGES, writeSample } from "./code-samples.ts";
import { type Examples, fillCall } from "./examples.ts";
import { type Call, FIRST_CALLS, SIGN_IN_CALLS } from "./first-calls.ts";
import { type Guide, GUIDES } from "./guides.ts";
import { TAGS } from "./openapi-parts.ts";
import { Shapes, operationSection, withCode } from "./operation-page.ts";

/** Route of the reference. Its path has the prefix of this catalog. */
export type DocumentedRoute = LoadedRoute & {
  /** True for pages, forms and routes of operators, which most readers of the reference skip. */
  readonly isFolded: boolean;
};

export const QUERY_LENGTH = 100;
const CACHE = "public, max-age=300";
const SCRIPT = "/static/docs.js";

/** Topics in the order in which programs need them; those of operators are folded. */
const TOPICS = [
  "search",
  "lookup",
  "records",
  "covers",
  "subjects",
  "lists",
  "reading",
  "people",
  "trending",
  "lending",
  "history",
  "dumps",
  "import",
  "editing",
  "account",
  "libraries",
] as const satisfies readonly (keyof typeof TAGS)[];

interface Site {
  base: string;
  /** Requests a minute. */
  rate: number;
  examples: Examples;
}

/** Writes the first page: guides, the calls that most programs need, and the topics. */
export function frontPage(routes: readonly DocumentedRoute[], site: Site): Reply {
  const counts = Map.groupBy(routes, ({ operation: { tag } }) => tag);
  const topics = (tags: readonly string[]) =>
    markup`<dl class="facts">${tags.map(
      (tag) =>
        markup`<dt><a href="/docs/${tag}">${tag}</a><span class="n">${number(counts.get(tag)?.length ?? 0)}</span></dt><dd>${TAGS[tag as keyof typeof TAGS]}</dd>`,
    )}</dl>`;
  const others = Object.keys(TAGS).filter((tag) => !TOPICS.some((topic) => topic === tag));
  const [first] = FIRST_CALLS;
  const body = markup`<p>${t("docs.lead", { json: link("/openapi.json", "/openapi.json") })}</p>
${searchForm()}
<div lang="en" dir="ltr">
<nav aria-label="${t("docs.contents")}"><ul class="columns">${[
    ["first", t("docs.first")],
    ...GUIDES.map(({ id, title }) => [id, title] as const),
    ...FIRST_CALLS.map(({ operation, title }) => [operation, title] as const),
    ["topics", t("docs.topics")],
  ].map(([id, title]) => markup`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
<h2 id="first">${t("docs.first")}</h2>
${first !== undefined && samples(first, site)}
${GUIDES.map((guide) => guideSection(guide, routes, site))}
<h2>${t("docs.calls")}</h2>
${FIRST_CALLS.map((call) => callSection(call, routes, site))}
<h2 id="topics">${t("docs.topics")}</h2>
${topics(TOPICS)}
<details><summary>${t("docs.other_topics")}</summary>${topics(others)}</details>
</div>`;
  return page({ title: t("docs.title"), body, cacheControl: CACHE, script: SCRIPT });
}

function guideSection(
  { id, title, text, rows }: Guide,
  routes: readonly DocumentedRoute[],
  site: Site,
): Markup {
  const fill = (words: string) => words.replace("{base}", site.base).replace("{rate}", String(site.rate));
  return markup`<section><h2 id="${id}">${title}</h2>${text.map((words) => markup`<p>${withCode(fill(words))}</p>`)}${
    rows !== undefined &&
    table({
      caption: title,
      columns: [t("docs.status"), t("docs.meaning")],
      rows: rows.map(([what, about]) => [what, withCode(about)]),
    })
  }${id === "sign-in" && SIGN_IN_CALLS.map((call) => callSection(call, routes, site))}</section>`;
}

function callSection(call: Call, routes: readonly DocumentedRoute[], site: Site): Markup {
  const route = routes.find(({ operation }) => operation.id === call.operation);
  const href = `/docs/${route?.operation.tag ?? "search"}#${call.operation}`;
  return markup`<section class="call" id="${call.operation}"><h3>${call.title}</h3>
<p>${withCode(call.about)} <a href="${href}">${t("docs.all_parameters", { title: call.title })}</a></p>
<dl class="facts">${call.parameters.map(
    ([name, about]) => markup`<dt><code>${name}</code></dt><dd>${withCode(about)}</dd>`,
  )}</dl>
${samples(call, site)}</section>`;
}

/** Renders the request of a call in all languages, with the answer of this catalog beside it. */
function samples(call: Call, { base, examples: { values, answers } }: Site): Markup {
  const path = fillCall(call.path, values);
  const body = call.body === undefined ? {} : { body: fillCall(call.body, values) };
  const request = { ...call, ...body, url: base + path };
  const answer = answers[call.operation];
  const picture = call.file !== undefined && !path.includes("{");
  return markup`<div class="pair"><div>${SAMPLE_LANGUAGES.map(
    (language, at) =>
      markup`<details${at === 0 && markup` open`}><summary>${language}</summary><pre class="sample" tabindex="0"><code>${writeSample(language, request)}</code></pre></details>`,
  )}</div><div>${
    answer !== undefined &&
    markup`<p class="soft small">${t("docs.answer")}</p><pre tabindex="0"><code>${answer}</code></pre>`
  }${picture && markup`<p class="soft small">${t("docs.answer")}</p><img src="${path}" alt="${t("docs.cover")}" loading="lazy">`}</div></div>`;
}

/** FoundEntry guide or operation. */
export interface FoundEntry {
  readonly href: string;
  readonly title: string;
  readonly route?: Pick<LoadedRoute, "method" | "path">;
}

export function resultPage(q: string, found: readonly FoundEntry[]): Reply {
  const body = markup`${searchForm(q)}
<p role="status">${t("docs.found", { count: found.length })}</p>
${resultList(found)}
<p>${link("/docs", t("docs.all"))}</p>`;
  return page({ title: t("docs.title"), body, cacheControl: CACHE });
}

function resultList(found: readonly FoundEntry[]): Markup {
  return markup`<ul class="books" lang="en">${found.map(
    ({ href, title, route }) =>
      markup`<li><p><a href="${href}">${title}</a></p><p dir="ltr">${
        route === undefined ? t("docs.guide") : markup`<code>${route.method} ${route.path}</code>`
      }</p></li>`,
  )}</ul>`;
}

function searchForm(q = ""): Markup {
  return markup`<form role="search" aria-label="${t("docs.search")}" action="/docs" class="line"><label for="docs-search">${t("docs.search")}</label>
<input id="docs-search" name="q" type="search" value="${q}" maxlength="${QUERY_LENGTH}"> <button>${t("layout.search")}</button></form>`;
}

/** Lists operations of a page, with links to their sections. */
function entryList(routes: readonly DocumentedRoute[]): Markup {
  return resultList(
    routes.map((route) => ({ href: `#${route.operation.id}`, title: route.operation.summary, route })),
  );
}

interface Topic {
  routes: readonly DocumentedRoute[];
  /** Schemas of the interface description by name. */
  schemas: unknown;
  values: Examples["values"];
  server: string;
  /** Returns the operation object of a route. */
  describe(route: DocumentedRoute): unknown;
}

export function topicPage(tag: keyof typeof TAGS, topic: Topic): Reply {
  const { routes, schemas, values, server, describe } = topic;
  const shapes = new Shapes(schemas);
  const section = (route: DocumentedRoute): Piece =>
    operationSection(
      { method: route.method, path: route.path, operation: describe(route), server, examples: values },
      shapes,
    );
  const open = routes.filter(({ isFolded }) => !isFolded);
  const folded = routes.filter(({ isFolded }) => isFolded);
  const all = [...TOPICS, ...Object.keys(TAGS).filter((name) => !TOPICS.some((other) => other === name))];
  const body = markup`${tabs(
    t("docs.title"),
    all.map((name) => ({ href: `/docs/${name}`, text: name, isCurrent: name === tag })),
  )}
${searchForm()}
<p lang="en" dir="ltr">${TAGS[tag]}</p>
<details><summary>${t("docs.found", { count: open.length })}</summary>${entryList(open)}</details>
${open.map(section)}
${
  folded.length > 0 &&
  markup`<details class="folded"${open.length === 0 && markup` open`}><summary>${t("docs.folded", { count: folded.length })}</summary>${entryList(folded)}${folded.map(section)}</details>`
}`;
  const title = t("list.pair", { name: t("docs.title"), value: markup`<span lang="en">${tag}</span>` });
  return page({ title: t("docs.title"), heading: title, body, cacheControl: CACHE, script: SCRIPT });
}
