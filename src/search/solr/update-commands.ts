import { type CatalogRecord, type Json, isObject, stringsOf } from "../../catalog/record.ts";
import { TextError } from "../../catalog/texts.ts";
import type { SolrErrorKey } from "./parameters.ts";

const BLANK = /\s/;
const OPENING = new Set(["{", "["]);
const CLOSING = new Set(["}", "]"]);

/** Splits a valid JSON object into names and JSON texts, with repeated names, unlike `JSON.parse`. */
export function splitJsonMembers(text: string): [name: string, value: string][] {
  const members: [string, string][] = [];
  let position = text.indexOf("{") + 1;
  for (;;) {
    const start = text.indexOf('"', position);
    if (start === -1 || isAtEnd(text, position)) return members;
    const nameEnd = stringEndOf(text, start);
    const valueStart = text.indexOf(":", nameEnd) + 1;
    const end = valueEndOf(text, valueStart);
    // A string in valid JSON parses to a string.
    members.push([JSON.parse(text.slice(start, nameEnd)) as string, text.slice(valueStart, end).trim()]);
    position = end + 1;
  }
}

/** Returns true at the end of the object: only blanks, or blanks and the brace, follow. */
function isAtEnd(text: string, position: number): boolean {
  let at = position;
  while (at < text.length && BLANK.test(text.charAt(at))) at += 1;
  return at >= text.length || text.charAt(at) === "}";
}

function stringEndOf(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === "\\" ? 2 : 1;
  return at + 1;
}

function valueEndOf(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text.charAt(at);
    if (depth === 0 && (character === "," || character === "}")) return at;
    if (OPENING.has(character)) depth += 1;
    else if (CLOSING.has(character)) depth -= 1;
    at = character === '"' ? stringEndOf(text, at) : at + 1;
  }
  return at;
}

export type UpdateCommand =
  | { readonly kind: "add"; readonly document: CatalogRecord }
  | { readonly kind: "delete"; readonly keys: readonly string[] }
  | { readonly kind: "delete-matching"; readonly query: string }
  /** Writes are visible at once, so that commits change nothing. */
  | { readonly kind: "commit" };

export class MalformedUpdate extends TextError<SolrErrorKey> {}

const COMMITS = new Set(["commit", "optimize"]);
/** Members of an addition beside its document that have no effect. */
const MOOT_OF_ADD = new Set(["doc", "commitWithin"]);

/** Reads documents, or commands whose names may be repeated, in JSON. Throws MalformedUpdate. */
export function parseJsonCommands(text: string): UpdateCommand[] {
  const trimmed = text.trim();
  if (trimmed.startsWith("[")) return documentsOf(parseJson(trimmed)).map(toAddCommand);
  if (!trimmed.startsWith("{")) throw new MalformedUpdate("bad_request.solr_json_commands");
  // The whole is parsed first, for the message of a syntax error.
  parseJson(trimmed);
  return splitJsonMembers(trimmed).flatMap(([name, value]) => commandsOf(name, parseJson(value)));
}

function commandsOf(name: string, value: Json): UpdateCommand[] {
  if (COMMITS.has(name)) return [{ kind: "commit" }];
  if (name === "add") return additionsOf(value);
  if (name === "delete") return deletionsOf(value);
  throw new MalformedUpdate("bad_request.solr_unsupported", { name });
}

function additionsOf(value: Json): UpdateCommand[] {
  if (Array.isArray(value)) return documentsOf(value).map(toAddCommand);
  if (!isObject(value) || !isObject(value["doc"]))
    throw new MalformedUpdate("bad_request.solr_missing", { name: "add.doc" });
  const other = Object.keys(value).find(
    (name) => !MOOT_OF_ADD.has(name) && !(name === "overwrite" && value[name] === true),
  );
  if (other !== undefined) throw new MalformedUpdate("bad_request.solr_value", { name: "add", value: other });
  return [toAddCommand(value["doc"])];
}

function deletionsOf(value: Json): UpdateCommand[] {
  const ids = Array.isArray(value) ? value : [value];
  const keys = ids.flatMap((id) => stringsOf(isObject(id) ? id["id"] : id));
  const query = isObject(value) ? value["query"] : undefined;
  if (typeof query === "string" && keys.length === 0) return [{ kind: "delete-matching", query }];
  // Every id must be valid; an empty list is no error.
  if (query === undefined && keys.length >= ids.length) return [{ kind: "delete", keys }];
  throw new MalformedUpdate("bad_request.solr_delete");
}

function toAddCommand(document: CatalogRecord): UpdateCommand {
  return { kind: "add", document };
}

function documentsOf(value: Json): CatalogRecord[] {
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw new MalformedUpdate("bad_request.solr_documents");
}

function parseJson(text: string): Json {
  try {
    // The result of JSON.parse is JSON.
    return JSON.parse(text) as Json;
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    throw new MalformedUpdate("bad_request.solr_json", { reason }, { cause: error });
  }
}

const XML_ELEMENT = /<([\w:]+)/g;
const XML_ELEMENTS = new Set(["update", "delete", "id", "query", "commit", "optimize"]);
const XML_COMMAND = /<(commit|optimize)\b|<id>([^<]*)<\/id>|<query>([^<]*)<\/query>/g;
const ENTITIES = new Map([
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&apos;", "'"],
  ["&amp;", "&"],
]);

/** Reads deletions and commits in XML, as client libraries send them. Throws MalformedUpdate. */
export function parseXmlCommands(text: string): UpdateCommand[] {
  for (const [, name = ""] of text.matchAll(XML_ELEMENT)) {
    if (name === "add") throw new MalformedUpdate("bad_request.solr_xml_documents");
    if (!XML_ELEMENTS.has(name))
      throw new MalformedUpdate("bad_request.solr_unsupported", { name: `<${name}>` });
  }
  const commands: UpdateCommand[] = [];
  for (const [, commit, id, query] of text.matchAll(XML_COMMAND)) {
    if (commit !== undefined) commands.push({ kind: "commit" });
    if (id !== undefined) commands.push({ kind: "delete", keys: [unescapeXml(id)] });
    if (query !== undefined) commands.push({ kind: "delete-matching", query: unescapeXml(query) });
  }
  if (commands.length === 0) throw new MalformedUpdate("bad_request.solr_no_command");
  return commands;
}

function unescapeXml(text: string): string {
  return text.trim().replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => ENTITIES.get(entity) ?? entity);
}
