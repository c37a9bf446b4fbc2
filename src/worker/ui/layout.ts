import { VARY_LANGUAGE } from "../http/accept.ts";
import { type Flash, type Reader, type Language } from "../http/pages/reader.ts";
import { type Reply, NO_STORE } from "../http/reply.ts";
import { moveNotice } from "./dropper.ts";
import { type Markup, type Piece, forReader, markup } from "./markup.ts";
import { type Metadata, metadataMarkup } from "./metadata.ts";
import { notice } from "./notice.ts";
import { iconLinks, logoOf, ownerLinks, siteStyle } from "./owner.ts";
import { link, siteName } from "./parts.ts";
import { type Words, isWords, reason, t } from "./words.ts";

/** Content security policy of pages: styles, scripts, images and forms of this service only. */
export const PAGE_CSP = [
  "default-src 'none'",
  "img-src 'self'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Page. `title` is the `h1` too, unless there is a `heading`. */
export interface Page {
  readonly title: Piece;
  /** False if the body has its own heading. */
  readonly heading?: Piece;
  readonly body: Piece;
  readonly q?: string;
  readonly metadata?: Metadata;
  /** Other content of the head. */
  readonly head?: Markup;
  /** URL of another site that a form may redirect to, or the scheme of any: browsers block other redirects of forms. */
  readonly formsLeadTo?: string;
  /** Another script of this service. Pages must work without it. */
  readonly script?: string;
  readonly status?: number;
  /** `no-store` unless stated. */
  readonly cacheControl?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function page(spec: Page): Reply {
  const { title, heading = title, body, script, head } = spec;
  const headContent = forReader(
    (reader) => markup`${iconLinks(reader)}
<link rel="manifest" href="/site/manifest.json">
<link rel="search" type="application/opensearchdescription+xml" href="/opensearch.xml" title="${siteName}">
<link rel="alternate" type="application/atom+xml;profile=opds-catalog" href="/opds" title="OPDS">
${sheet(reader)}
<script type="module" src="${reader.script}"></script>${
      script !== undefined &&
      markup`
<script type="module" src="${script}"></script>`
    }${metadataMarkup(spec)}${head}`,
  );
  const content = markup`<a class="skip" href="#content">${t("layout.skip")}</a>
${headerOf(spec.q ?? "")}
<main id="content" class="wrap" tabindex="-1">
${forReader(({ messages }) => messages.map(message))}${heading !== false && markup`<h1>${heading}</h1>`}
${body}
</main>
${FOOTER}`;
  return htmlReply(documentOf(markup`${title} – ${siteName}`, headContent, content), spec);
}

function sheet(reader: Reader): Markup {
  return markup`<link rel="stylesheet" href="${reader.style}">${siteStyle(reader)}`;
}

function message({ type, message: text, words, values, move }: Flash): Markup {
  if (move !== undefined) return moveNotice(move);
  return notice(
    type === "error" ? "bad" : "good",
    isWords(words) ? reason({ key: words, values }) : markup`<span lang="en">${text}</span>`,
  );
}

export function documentOf(title: Piece, head: Piece, content: Markup): Markup {
  return markup`<!doctype html>
<html lang="${forReader(({ language }) => language)}" dir="${forReader(({ language }) => (language === "ar" ? "rtl" : "ltr"))}">
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

function htmlReply(document: Markup, options: Omit<Page, "title" | "body">): Reply {
  const { status = 200, cacheControl = NO_STORE, headers, formsLeadTo } = options;
  const ownForms = "form-action 'self'";
  const origin = URL.parse(formsLeadTo ?? "")?.origin ?? formsLeadTo;
  // The scheme of an app has no origin.
  const target = origin === "null" ? new URL(String(formsLeadTo)).protocol : origin;
  const forms = target === undefined ? ownForms : `${ownForms} ${target}`;
  return {
    status,
    body: (reader) => document.textFor(reader),
    contentType: "text/html; charset=utf-8",
    cacheControl,
    headers: {
      "Content-Security-Policy": PAGE_CSP.replace(ownForms, forms),
      ...headers,
      Vary: `Accept, ${VARY_LANGUAGE}`,
    },
  };
}

const BARS = markup`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 5h2v14H3zm4 0h1v14H7zm3 0h3v14h-3zm5 0h1v14h-1zm3 0h3v14h-3z" fill="currentColor"/></svg>`;

type Links = readonly (readonly [href: string, words: Words])[];

const MAIN: Links = [
  ["/explore", "nav.explore"],
  ["/authors", "nav.authors"],
  ["/lists", "nav.lists"],
  ["/account/books", "nav.my_books"],
  ["/books/add", "nav.add"],
];

function headerOf(q: string): Markup {
  return markup`<header class="top"><div class="wrap"><a class="mark" href="/">${forReader(logoOf)}${siteName}</a>
<form role="search" action="/search"><label class="unseen" for="site-search">${t("layout.search_books")}</label><input id="site-search" name="q" type="search" value="${q}" maxlength="1000" autocomplete="off" data-suggest="/works/_autocomplete /authors/_autocomplete /subjects_autocomplete" data-authors="${t("search.author")}" data-subjects="${t("search.subject")}" placeholder="${t("layout.search_hint")}"><a class="scan" href="/barcodescanner">${BARS}<span class="unseen">${t("layout.scan")}</span></a><button class="primary">${t("layout.search")}</button></form>
<nav aria-label="${t("layout.main")}">${forReader(({ here }) => MAIN.map(([href, words]) => link(href, t(words), here.split("?")[0] === href)))}${forReader(accountMenu)}</nav></div></header>`;
}

const NO_RETURN = /^\/(?:account\/(?:login|create|verify|logout)|$)/;

export function accountMenu({ username, here }: Reader): Markup {
  if (username === undefined) {
    const back = NO_RETURN.test(here) ? "" : `?redirect=${encodeURIComponent(here)}`;
    return link(`/account/login${back}`, t("account.log_in"));
  }
  return markup`<details class="account"><summary><b dir="auto">${username}</b></summary>
<ul><li>${link("/account", t("account.settings"))}</li>
<li>${link(`/people/${encodeURIComponent(username)}`, t("account.profile"))}</li>
<li>${link("/account/loans", t("account.loans"))}</li>
<li><form method="post" action="/account/logout"><button>${t("account.log_out")}</button></form></li></ul></details>`;
}

const COLUMNS: readonly (readonly [heading: Words, links: Links])[] = [
  [
    "footer.catalog",
    [
      ["/subjects", "nav.subjects"],
      ["/authors", "nav.authors"],
      ["/publishers", "nav.publishers"],
      ["/languages", "nav.languages"],
      ["/lists", "nav.lists"],
      ["/trending", "nav.trending"],
    ],
  ],
  [
    "footer.take_part",
    [
      ["/books/add", "nav.add"],
      ["/account/books", "nav.my_books"],
      ["/people", "people.title"],
      ["/recentchanges", "nav.changes"],
      ["/libraries", "nav.libraries"],
    ],
  ],
  [
    "footer.data",
    [
      ["/stats", "nav.stats"],
      ["/data", "nav.dumps"],
      ["/docs", "nav.docs"],
    ],
  ],
];

const ABOUT = [link("/about", t("nav.about")), link("/help", t("nav.help"))];

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  ar: "العربية",
};

const FOOTER = markup`<footer><div class="wrap"><nav aria-label="${t("layout.about")}">${COLUMNS.map(
  ([heading, links]) => markup`<div><h2>${t(heading)}</h2>
<ul>${links.map(([href, words]) => markup`<li>${link(href, t(words))}</li>`)}</ul></div>`,
)}<div><h2>${siteName}</h2>
<ul>${forReader(({ site }) => [...ABOUT, ...ownerLinks(site)].map((item) => markup`<li>${item}</li>`))}</ul></div></nav>
${forReader(languageForm)}</div></footer>`;

function languageForm({ language, here, site }: Reader): Piece {
  if (site.languages.length === 1) return undefined;
  const options = site.languages.map(
    (code) =>
      markup`<option value="${code}" lang="${code}"${code === language && markup` selected`}>${LANGUAGE_NAMES[code]}</option>`,
  );
  return markup`<form method="post" action="/account/language"><input type="hidden" name="redir_url" value="${here}">
<label for="site-language">${t("layout.language")}</label> <select id="site-language" name="language">${options}</select>
<button>${t("layout.change_language")}</button></form>`;
}

/** Policy of small pages, which other sites may embed: they have no forms and do not depend on a session. */
const EMBED_CSP = PAGE_CSP.replace("frame-ancestors 'none'", "frame-ancestors *").replace(
  "script-src 'self'; connect-src 'self'; manifest-src 'self'; ",
  "",
);

/** Makes a small page for embedding. Its links need `target="_top"` to leave the frame. */
export function smallPage({ title, body }: { title: string; body: Piece }): Reply {
  const document = documentOf(
    title,
    forReader(sheet),
    markup`<main class="frame">
${body}
</main>`,
  );
  return {
    status: 200,
    body: (reader) => document.textFor({ ...reader, username: undefined }),
    contentType: "text/html; charset=utf-8",
    cacheControl: "public, max-age=60",
    headers: {
      "Content-Security-Policy": EMBED_CSP,
      Vary: `Accept, ${VARY_LANGUAGE}`,
    },
  };
}
