import * as z from "zod";
import type { JsonObject } from "../../../catalog/record.ts";
import type { Document } from "../../../search/engine.ts";
import { collationKey } from "../../../search/text/collation.ts";
import { fold } from "../../../search/text/fold.ts";
import { operation } from "../../operation.ts";
import { callbackName } from "../../validation/parameters.ts";
import { completed } from "../autocomplete/parameters.ts";
import { suggestReply } from "./reply.ts";

/** Shorter beginnings find nothing, in characters (lookup.md 10.1). */
const PREFIX_LENGTH_MIN = 3;
/** Authors in an answer. */
const SUGGESTIONS = 5;
/** Authors that are looked at, the ones with most works. */
const LOOKED_AT = 100;

/** `GET /suggest/search`: authors whose name starts so, in an old form that other sites know (lookup.md 10.1). */
export const suggestSearch = operation({
  id: "suggestSearch",
  summary: "Authors by the beginning of their name, in the form of the suggest interface",
  tag: "search",
  query: { prefix: z.string().default(""), callback: callbackName() },
  responses: {
    200: { description: "Up to 5 authors by name", schema: z.looseObject({ status: z.string() }) },
  },
  async handle({ query: { prefix, callback } }, context) {
    const found =
      prefix.trim().length < PREFIX_LENGTH_MIN
        ? []
        : await completed({ scheme: "author", text: prefix, limit: LOOKED_AT }, context);
    const result = startingWith(found, fold(prefix.trim())).map(suggestion);
    const query = { ...Object.fromEntries(context.url.searchParams), escape: "html" };
    return suggestReply({ query, result }, callback);
  },
});

function startingWith(found: readonly Document[], beginning: string): Document[] {
  return found
    .filter((document) => fold(nameOf(document)).startsWith(beginning))
    .toSorted(byName)
    .slice(0, SUGGESTIONS);
}

function byName(one: Document, other: Document): number {
  const [a, b] = [collationKey(nameOf(one)), collationKey(nameOf(other))];
  return Number(a > b) - Number(a < b);
}

function nameOf({ name }: Document): string {
  return typeof name === "string" ? name : "";
}

function suggestion(document: Document): JsonObject {
  const key = String(document["key"]);
  return { type: [{ id: key, name: key }], name: nameOf(document), guid: key, id: key, article: { id: key } };
}
