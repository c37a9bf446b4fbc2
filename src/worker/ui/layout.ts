import { raw } from "hono/html";
import { type Reply, NO_STORE } from "../http/reply.ts";
import { NAME } from "../http/settings.ts";
import { type Markup, type Piece, markup } from "./markup.ts";

/** What pages may do: nothing but show text and this service's images in their own style, and send forms to it. */
export const PAGE_CSP = [
  "default-src 'none'",
  "img-src 'self'",
  "style-src 'unsafe-inline'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A page for people: `title` is its one `h1` too, unless `heading` says it otherwise. */
export interface Page {
  readonly title: string;
  readonly heading?: Piece;
  readonly body: Piece;
  /** Address of another site that a form of the page may end at: browsers let answers to forms lead nowhere else. */
  readonly formsLeadTo?: string;
  /** Script of this service (`/static/scanner.js`) that makes the page more convenient, never possible. */
  readonly script?: string;
  /** 200 unless stated. */
  readonly status?: number;
  /** Pages are kept by nobody unless stated. */
  readonly cacheControl?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A complete document: works with a keyboard, on small screens and in dark rooms, and without scripts. */
export function page(what: Page): Reply {
  const { title, heading, body, script } = what;
  const head = markup`<link rel="icon" href="/static/favicon.ico">
<link rel="search" type="application/opensearchdescription+xml" href="/opensearch.xml" title="${NAME}">
<style>${raw(STYLE)}</style>${
    script !== undefined &&
    markup`
<script type="module" src="${script}"></script>`
  }`;
  const content = markup`<a class="skip" href="#content">Skip to the content</a>
<header><a href="/">${NAME}</a>
<form role="search" action="/search"><label class="unseen" for="site-search">Search books</label><input id="site-search" name="q" type="search" maxlength="1000" placeholder="Title, author, ISBN"> <button type="submit">Search</button></form>
<nav aria-label="Main"><a href="/subjects">Subjects</a> <a href="/authors">Authors</a> <a href="/lists">Lists</a> <a href="/account/books">My books</a> <a href="/account">Account</a> <a href="/books/add">Add a book</a></nav></header>
<main id="content" tabindex="-1">
<h1>${heading ?? title}</h1>
${body}
</main>
<footer><nav aria-label="About this service"><a href="/recentchanges">Recent changes</a> <a href="/trending">Trending</a> <a href="/stats">Statistics</a> <a href="/data">Dumps</a> <a href="/docs">For developers</a></nav></footer>`;
  return htmlReply(documentOf(`${title} – ${NAME}`, head, content), what);
}

/** A document, with what every one begins and ends with. */
function documentOf(title: string, head: Markup, content: Markup): Markup {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
</head>
<body>
${content}
</body>
</html>
`;
}

/** A finished document as an answer, with the headers that every page has. */
function htmlReply(document: Markup, more: Omit<Page, "title" | "body">): Reply {
  const { status = 200, cacheControl = NO_STORE, headers, formsLeadTo, script } = more;
  const own = "form-action 'self'";
  const forms = formsLeadTo === undefined ? own : `${own} ${new URL(formsLeadTo).origin}`;
  const scripts = script === undefined ? "" : "; script-src 'self'";
  return {
    status,
    body: String(document),
    contentType: "text/html; charset=utf-8",
    cacheControl,
    headers: {
      "Content-Security-Policy": PAGE_CSP.replace(own, forms) + scripts,
      "Referrer-Policy": "same-origin",
      Vary: "Accept",
      ...headers,
    },
  };
}

const STYLE = `
:root { color-scheme: light dark; --line: #8886; --accent: light-dark(#0a4f8f, #8cc4ff); --bad: light-dark(#a3120a, #ff9d94); }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 62rem; padding: 0 1rem 3rem; }
header { align-items: baseline; border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: 1rem; padding: .75rem 0; }
header > a { font-weight: 600; }
header form { align-items: center; display: flex; flex: 1 1 16rem; gap: .5rem; }
header button { margin-top: 0; min-height: 2.25rem; padding: .25rem .75rem; }
:is(header, footer) nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
footer { border-top: 1px solid var(--line); margin-top: 3rem; padding: .75rem 0; }
a { color: var(--accent); }
a[aria-current] { font-weight: 600; text-decoration: none; }
a, cite, dd, td, th { unicode-bidi: isolate; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
main:focus { outline: none; }
.skip { left: -999px; position: absolute; }
.unseen { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute; white-space: nowrap; width: 1px; }
.skip:focus { background: Canvas; left: 1rem; padding: .5rem; top: .5rem; }
h1 { font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; }
table { border-collapse: collapse; width: 100%; }
.wide { overflow-x: auto; }
caption { font-weight: 600; padding: .5rem 0; text-align: start; }
th, td { border-bottom: 1px solid var(--line); overflow-wrap: break-word; padding: .4rem .6rem .4rem 0; text-align: start; vertical-align: top; }
th[scope=row] { min-width: 7rem; overflow-wrap: anywhere; }
td button { margin-top: 0; }
dt { font-weight: 600; }
dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
pre { overflow-wrap: anywhere; white-space: pre-wrap; }
label { display: block; font-weight: 600; margin-top: 1rem; }
input:not([type=checkbox]):not([type=radio]), textarea, select { box-sizing: border-box; font: inherit; max-width: 30rem; padding: .4rem; width: 100%; }
::placeholder { color: light-dark(#555, #bbb); opacity: 1; }
button { font: inherit; margin-top: 1rem; min-height: 2.75rem; padding: .5rem 1.25rem; }
.check label { display: inline; font-weight: normal; }
.hint { color: light-dark(#555, #aaa); margin: .1rem 0; }
.error { color: var(--bad); margin: .1rem 0; }
.summary { border: 2px solid var(--bad); margin: 1rem 0; padding: .25rem 1rem; }
ins { background: light-dark(#d8f5d8, #14401c); text-decoration: none; }
del { background: light-dark(#fbdcdc, #551c1c); }
.books { list-style: none; padding: 0; }
.books > li { border-bottom: 1px solid var(--line); padding: .25rem 0 .75rem; }
.books p { margin: .25rem 0; }
.actions, .actions form { align-items: center; display: flex; flex-wrap: wrap; gap: .5rem 1rem; }
.actions form { gap: .5rem; margin: 0; }
.actions label { font-weight: normal; margin: 0; }
.actions :is(button, select, input:not([type=hidden])) { margin: 0; min-height: 2.25rem; padding: .25rem .5rem; width: auto; }
.pages { display: flex; flex-wrap: wrap; gap: 1rem; margin: 1rem 0; }
`;

/** Small pages that others may show inside theirs: they have no forms and nothing that belongs to a session. */
const EMBED_CSP = PAGE_CSP.replace("frame-ancestors 'none'", "frame-ancestors *");

const SMALL_STYLE = `
:root { color-scheme: light dark; }
body { font: 0.9rem/1.4 system-ui, sans-serif; margin: 0.5rem; overflow-wrap: anywhere; }
a { color: light-dark(#0a4f8f, #8cc4ff); }
:focus-visible { outline: 3px solid; outline-offset: 2px; }
h1 { font-size: 1.1rem; }
`;

/** A small page. Its links are to leave the frame by themselves (`target="_top"`). */
export function smallPage({ title, body }: { readonly title: string; readonly body: Piece }): Reply {
  const head = markup`<style>${raw(SMALL_STYLE)}</style>`;
  const document = documentOf(
    title,
    head,
    markup`<main>
${body}
</main>`,
  );
  return {
    status: 200,
    body: String(document),
    contentType: "text/html; charset=utf-8",
    cacheControl: "public, max-age=60",
    headers: { "Content-Security-Policy": EMBED_CSP, "Referrer-Policy": "same-origin" },
  };
}
