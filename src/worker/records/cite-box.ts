import type { Book } from "../../export/book.ts";
import { FORMATS, FORMAT_NAMES } from "../../export/formats.ts";
import { CITATION_LANGUAGES } from "../../export/reference-words.ts";
import { CITATION_STYLES, referencesOf } from "../../export/references.ts";
import { Markup, forReader, markup } from "../ui/markup.ts";
import { commas, dots, link } from "../ui/parts.ts";
import { say } from "../ui/words.ts";

const STYLES = { apa: "APA", mla: "MLA", chicago: "Chicago" } as const;

/** Renders the citations of a book, its files for reference managers and library systems, and links for sharing it. */
export function citeBox(book: Book): Markup {
  const files = FORMAT_NAMES.map((name) => link(`${pathOf(book)}.${name}`, FORMATS[name].label));
  return markup`<details class="more"><summary>${say("book.cite")}</summary>
${references(book)}
<p class="small">${say("book.cite_files", { forms: commas(files) })}</p></details>
${shareBox(book)}`;
}

/** Renders references in the language of the reader, or in English if that language is not supported. */
function references(book: Book): Markup {
  return forReader(({ language: wanted }) => {
    const language = CITATION_LANGUAGES.find((one) => one === wanted) ?? "en";
    const written = referencesOf(book, language);
    return markup`<dl class="small"${language !== wanted && markup` lang="${language}" dir="auto"`}>${CITATION_STYLES.map(
      (style) => markup`<dt>${STYLES[style]}</dt><dd>${italic(written[style].html)}</dd>`,
    )}</dl>`;
  });
}

/** Wraps a reference as markup: texts of records are escaped in it. */
function italic(html: string): Markup {
  return new Markup((out) => {
    out[0] += html;
  });
}

function shareBox(book: Book): Markup {
  const path = pathOf(book);
  const mail = `mailto:?${new URLSearchParams({ subject: book.title, body: book.url })}`.replaceAll(
    "+",
    "%20",
  );
  const ways = [
    link(`/qrcode?${new URLSearchParams({ path })}`, say("book.share_qr")),
    link(mail, say("book.share_mail")),
    link(`${path}/widget`, say("book.share_page")),
  ];
  return markup`<details class="more"><summary>${say("book.share")}</summary>
<p><label for="permanent" class="small">${say("book.share_address")}</label><input id="permanent" value="${book.url}" readonly></p>
<p class="small">${dots(ways)}</p></details>`;
}

function pathOf({ url, site }: Book): string {
  return url.slice(site.length);
}
