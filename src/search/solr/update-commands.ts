import { type CatalogRecord, type Json, isObject, stringsOf } from "../../catalog/record.ts";
import { jsonMembers } from "./json-members.ts";

/** One step of a request to `/update` (search.md 12). */
export type UpdateCommand =
  | { readonly kind: "add"; readonly document: CatalogRecord }
  | { readonly kind: "delete"; readonly keys: readonly string[] }
  | { readonly kind: "delete-matching"; readonly query: string }
  /** Writes are seen at once, so these change nothing. */
  | { readonly kind: "commit" };

/** Thrown for a body that is no update. */
export class MalformedUpdate extends Error {}

const COMMITS = new Set(["commit", "optimize", "rollback"]);

/** Reads an update in JSON: a list of documents, or an object of commands whose names may be repeated. */
export function jsonCommands(text: string): UpdateCommand[] {
  const trimmed = text.trim();
  if (trimmed.startsWith("[")) return documents(parsed(trimmed)).map(add);
  if (!trimmed.startsWith("{")) throw new MalformedUpdate("expected a JSON object or array");
  // Parsed as a whole first, for the message of a syntax error.
  parsed(trimmed);
  return jsonMembers(trimmed).flatMap(([name, value]) => commandsOf(name, parsed(value)));
}

function commandsOf(name: string, value: Json): UpdateCommand[] {
  if (COMMITS.has(name)) return [{ kind: "commit" }];
  if (name === "add") return additions(value);
  if (name === "delete") return deletions(value);
  throw new MalformedUpdate(`Unknown command '${name}'`);
}

function additions(value: Json): UpdateCommand[] {
  if (Array.isArray(value)) return documents(value).map(add);
  if (!isObject(value) || !isObject(value["doc"])) throw new MalformedUpdate("add: no document");
  return [add(value["doc"])];
}

function deletions(value: Json): UpdateCommand[] {
  if (isObject(value)) {
    const { query, id } = value;
    return typeof query === "string"
      ? [{ kind: "delete-matching", query }]
      : [{ kind: "delete", keys: stringsOf(id) }];
  }
  const ids = Array.isArray(value) ? value : [value];
  return [{ kind: "delete", keys: ids.flatMap((id) => stringsOf(isObject(id) ? id["id"] : id)) }];
}

function add(document: CatalogRecord): UpdateCommand {
  return { kind: "add", document };
}

function documents(value: Json): CatalogRecord[] {
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw new MalformedUpdate("expected documents");
}

function parsed(text: string): Json {
  try {
    // What JSON.parse makes is JSON.
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new MalformedUpdate(error instanceof Error ? error.message : "not JSON", { cause: error });
  }
}

const XML_COMMAND = /<(commit|optimize|rollback)\b|<id>([^<]*)<\/id>|<query>([^<]*)<\/query>/g;
const ENTITIES = new Map([
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&apos;", "'"],
  ["&amp;", "&"],
]);

/** Reads an update in XML: deletions and commits, which client libraries send in this form; no documents. */
export function xmlCommands(text: string): UpdateCommand[] {
  if (/<add\b/.test(text)) throw new MalformedUpdate("documents are taken as JSON only");
  const commands: UpdateCommand[] = [];
  for (const [, commit, id, query] of text.matchAll(XML_COMMAND)) {
    if (commit !== undefined) commands.push({ kind: "commit" });
    if (id !== undefined) commands.push({ kind: "delete", keys: [unescaped(id)] });
    if (query !== undefined) commands.push({ kind: "delete-matching", query: unescaped(query) });
  }
  if (commands.length === 0) throw new MalformedUpdate("no command in the XML");
  return commands;
}

function unescaped(text: string): string {
  return text.trim().replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => ENTITIES.get(entity) ?? entity);
}
