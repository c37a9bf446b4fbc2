import { Document, visit } from "yaml";
import type { Json } from "./record.ts";

const INDENT = 4;

/**
 * Pattern of characters that readers may fold, drop or reject unless escaped: unusual line ends, control characters and
 * non-characters.
 */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
/** Bare texts that some readers take for something else. */
const AMBIGUOUS = new Set(["=", "<<"]);
/**
 * Pattern of texts that need quotes: a tab, which some readers reject in bare text, or a blank at the start, which
 * needs an indentation number in a block: the writer gets that number wrong at this indent.
 */
const NEEDS_QUOTES = /\t|^\n* /;
/** Tag with which the writer would leave a member named `<<` bare. */
const MERGE_TAG = "tag:yaml.org,2002:merge";

/**
 * Renders a JSON value as block-style YAML: indented by 4, letters of all scripts unescaped, no folded lines, no
 * anchors. Text that any version of YAML would read as something else is quoted.
 */
export function renderYaml(value: Json): string {
  // Version 1.1 quotes `no`, dates and the like, which 1.1 readers such as Python's take for other types.
  const document = new Document(value, {
    version: "1.1",
    aliasDuplicateObjects: false,
    customTags: (tags) => tags.filter((tag) => typeof tag === "string" || tag.tag !== MERGE_TAG),
  });
  visit(document, {
    Scalar(_key, scalar) {
      if (typeof scalar.value !== "string") return;
      const text = scalar.value.toWellFormed();
      scalar.value = text;
      if (needsQuotes(text)) scalar.type = "QUOTE_DOUBLE";
    },
  });
  const options = { indent: INDENT, lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER };
  // These characters are inside double quotes at this point.
  return document.toString(options).replace(UNPRINTABLE, escapeCharacter);
}

function needsQuotes(text: string): boolean {
  return AMBIGUOUS.has(text) || NEEDS_QUOTES.test(text) || text.search(UNPRINTABLE) >= 0;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
