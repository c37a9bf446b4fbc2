import { WORK_SCHEME } from "./field-names.ts";
import { parseText } from "./parser.ts";
import { namesField } from "./syntax.ts";
import type { WorkParameters } from "./work-parameters.ts";

/** Text of a search with its parameters, such as `title`. */
export interface Typed {
  readonly q: string;
  readonly parameters: WorkParameters;
}

const DASHES = /(?<=^|\s)-+(?=\s|$)/g;
const BLANKS = /\s+/g;
const LEADING_DASH = /^\s*-+\s/;
const NAME_AND_COLON = /(?<=^|\s)([\w.]+)\s*:(?=\s+[^\s"([{])/g;
/** Signs and operators of a text that is more than a name or title. */
const SYNTAX = /["*^\\]|(?:^|\s)[-+](?=\S)|\b(?:AND|OR|NOT)\b/;

/** Returns true for a text that excludes its first word by a dash that was not meant so, even if it finds works. */
export function beginsWithDash(text: string): boolean {
  return LEADING_DASH.test(text);
}

/** Returns a text without the colons of field names before a blank, with its dashes and without them. */
export function plainTextsOf(text: string): { dashed: string; plain: string } {
  const dashed = text.replace(NAME_AND_COLON, removeColon).trim();
  return { dashed, plain: dashed.replace(DASHES, "").replace(BLANKS, " ").trim() };
}

function removeColon(typed: string, name: string): string {
  return WORK_SCHEME.resolve(name) ? name : typed;
}

/** Returns true for a text that is more than a name or title. */
export function hasSyntax(text: string): boolean {
  const parsed = parseText(text, WORK_SCHEME);
  return SYNTAX.test(text) || parsed.kind !== "tree" || namesField(parsed.tree);
}

const FIELDED = /(?:^|\s)(title|author|by):(?=\S)/i;
const ENCLOSED = /^["(](.*)[")]$/;

/** Returns a text of a title and an author alone, such as `title:Emma author:"Jane Austen"`, as parameters. */
export function readFields({ q, parameters }: Typed): Typed {
  const [before, ...parts] = q.trim().split(FIELDED);
  const fields = new Map<string, string>();
  for (let at = 0; at < parts.length; at += 2) {
    const name = parts[at]?.toLowerCase() === "title" ? "title" : "author";
    fields.set(name, (parts[at + 1] ?? "").trim().replace(ENCLOSED, "$1"));
  }
  const isRead =
    before === "" &&
    parameters.title === undefined &&
    parameters.author === undefined &&
    2 * fields.size === parts.length &&
    ![...fields.values()].some(hasSyntax);
  return isRead ? { q: "", parameters: { ...parameters, ...Object.fromEntries(fields) } } : { q, parameters };
}
