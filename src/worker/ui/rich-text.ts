import { type MarkedToken, type Token, lexer } from "marked";
import { type Markup, type Piece, markup } from "./markup.ts";
import { prose } from "./values.ts";

/** Characters of a text that are read as Markdown; longer texts are shown as they are. */
const MARKDOWN_LENGTH = 20_000;
/** Markdown that changes the look of a text. Most texts have none. */
const MARKED = /[*_`#[\]]|^ {0,3}(?:[-+>]|\d{1,9}[.)]) |-{3}|https?:|\S\s*\n/mu;
/** Characters that open or close something. The time of the parser grows with the square of their number. */
const MARKS = /[*_~`[\]<>|]|\d[.)]|^ {0,3}[-+]/gm;
const MARKS_MAX = 400;
/** Nesting beyond which a text is shown as it is. */
const NESTING_MAX = 8;

/**
 * Renders the text of a record, which is Markdown: emphasis, links, lists, quotes and lines. HTML in it is text, an image is its
 * description, and a link leads to the web or nowhere. Undefined if it is blank.
 */
export function richText(text: string | undefined): Markup | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const isPlain = text.length > MARKDOWN_LENGTH || !MARKED.test(text);
  if (isPlain || (text.match(MARKS)?.length ?? 0) > MARKS_MAX) {
    return prose(text);
  }
  return markup`${blocks(lexer(text, { gfm: true, breaks: true }), 0)}`;
}

/** Characters of a text from which a summary of 300 is made. */
const SUMMARY_SOURCE = 1000;

/** Renders the beginning of a text, for a summary. Undefined if it is blank. */
export function richStart(text: string | undefined): Markup | undefined {
  return richText(text?.slice(0, SUMMARY_SOURCE).toWellFormed());
}

function blocks(tokens: readonly Token[] | undefined, depth: number): Piece[] {
  return (tokens ?? []).map((token) => block(token as MarkedToken, depth));
}

function block(token: MarkedToken, depth: number): Piece {
  if (depth > NESTING_MAX) return markup`<p class="lines" dir="auto">${token.raw}</p>`;
  switch (token.type) {
    case "paragraph":
      return markup`<p dir="auto">${spans(token.tokens, depth)}</p>`;
    case "heading":
      return markup`<p dir="auto"><strong>${spans(token.tokens, depth)}</strong></p>`;
    case "list": {
      const items = token.items.map((item) => markup`<li dir="auto">${blocks(item.tokens, depth + 1)}</li>`);
      return token.ordered ? markup`<ol>${items}</ol>` : markup`<ul>${items}</ul>`;
    }
    case "blockquote":
      return markup`<blockquote>${blocks(token.tokens, depth + 1)}</blockquote>`;
    case "hr":
      return markup`<hr>`;
    case "code":
      return markup`<pre dir="auto">${token.text}</pre>`;
    case "space":
    case "def":
      return undefined;
    case "text":
      return token.tokens === undefined ? token.text : spans(token.tokens, depth);
    default:
      // A table, or HTML: as it was typed.
      return markup`<p class="lines" dir="auto">${token.raw}</p>`;
  }
}

function spans(tokens: readonly Token[] | undefined, depth: number): Piece[] {
  return (tokens ?? []).map((token) => span(token as MarkedToken, depth + 1));
}

function span(token: MarkedToken, depth: number): Piece {
  if (depth > NESTING_MAX) return token.raw;
  switch (token.type) {
    case "strong":
      return markup`<strong>${spans(token.tokens, depth)}</strong>`;
    case "em":
      return markup`<em>${spans(token.tokens, depth)}</em>`;
    case "del":
      return markup`<del>${spans(token.tokens, depth)}</del>`;
    case "codespan":
      return markup`<code>${token.text}</code>`;
    case "br":
      return markup`<br>`;
    case "link":
      return /^https?:\/\/|^\/[^/\\]/i.test(token.href)
        ? markup`<a href="${token.href}" rel="nofollow ugc">${spans(token.tokens, depth)}</a>`
        : spans(token.tokens, depth);
    case "image":
    case "escape":
      return token.text;
    case "text":
      return token.tokens === undefined ? token.text : spans(token.tokens, depth);
    default:
      return token.raw;
  }
}
