import * as z from "zod";
import { latestRecordOf } from "../../catalog/document.ts";
import { type JsonObject, textOf, typeKeyOf } from "../../catalog/record.ts";
import type { CoverCategory } from "../../db/covers/read-covers.ts";
import { readLive } from "../../db/records/records.ts";
import type { Document } from "../../search/engine.ts";
import { collationKeyOf, fold, compareValues } from "../../search/text/collation.ts";
import { resolveCover } from "./resolve-cover.ts";
import { notFound, recordNotFound } from "../http/errors.ts";
import { catalogReader, coversUrl, operation } from "../http/operation.ts";
import { callbackName } from "../http/parameters.ts";
import { type Reply, json, jsonText, redirect } from "../http/reply.ts";
import { findCompletions } from "./autocomplete.ts";

function suggestReply(
  { result, ...echo }: { query?: JsonObject; result: JsonObject | JsonObject[] },
  callback: string | undefined,
): Reply {
  const body = { status: "200 OK", ...echo, code: "/api/status/ok", result };
  // Q76: no semicolon here, unlike elsewhere.
  return callback === undefined
    ? json(body)
    : jsonText(`${callback}(${JSON.stringify(body)})`, { contentType: "application/javascript" });
}

export const suggestBlurb = operation({
  id: "suggestBlurb",
  summary: "Get dates and biography of an author as HTML",
  tag: "search",
  path: { path: z.string().describe("Key of the record without the leading slash") },
  query: { callback: callbackName() },
  responses: {
    200: { description: "HTML in a JSON envelope", schema: z.looseObject({ status: z.string() }) },
  },
  async handle({ path: { path }, query: { callback } }, context) {
    const key = `/${path}`;
    const row = await readLive(catalogReader(context), key);
    const record = row === undefined ? undefined : latestRecordOf(row);
    if (record === undefined || typeKeyOf(record) === "/type/delete") throw recordNotFound(key);
    const { birth_date: birth, death_date: death, date, bio, description } = record;
    const life = `${textOf(birth) ?? ""} - ${textOf(death) ?? ""}`;
    const dates = life === " - " ? (textOf(date) ?? "") : life;
    const text = textOf(bio) ?? textOf(description) ?? "";
    const body = `${escapeHtml(dates)}<br/>${escapeHtml(text)}`;
    return suggestReply({ result: { body, media_type: "text/html", text_encoding: "utf-8" } }, callback);
  },
});

const ENTITIES = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? character);
}

/** Shortest beginning of a name, in UTF-16 units. */
const PREFIX_LENGTH_MIN = 3;
const SUGGESTIONS = 5;
const COMPARED_AUTHORS = 100;

/** `GET /suggest/search`: authors by the beginning of their name, in the format of a former interface. */
export const suggestSearch = operation({
  id: "suggestSearch",
  summary: "Suggest authors by the start of their name",
  tag: "search",
  query: { prefix: z.string().default(""), callback: callbackName() },
  responses: {
    200: { description: "Up to 5 authors, ordered by name", schema: z.looseObject({ status: z.string() }) },
  },
  async handle({ query: { prefix, callback } }, context) {
    const authors =
      prefix.trim().length < PREFIX_LENGTH_MIN
        ? []
        : await findCompletions(
            { scheme: "author", filters: [], text: prefix, limit: COMPARED_AUTHORS, isVerbatim: true },
            context,
          );
    const result = authors
      .filter((author) => fold(nameOf(author)).startsWith(fold(prefix.trim())))
      .toSorted((a, b) => compareValues(collationKeyOf(nameOf(a)), collationKeyOf(nameOf(b))))
      .slice(0, SUGGESTIONS)
      .map((author) => {
        const key = String(author["key"]);
        return {
          type: [{ id: key, name: key }],
          name: nameOf(author),
          guid: key,
          id: key,
          article: { id: key },
        };
      });
    const query = { ...Object.fromEntries(context.url.searchParams), escape: "html" };
    return suggestReply({ query, result }, callback);
  },
});

function nameOf({ name }: Document): string {
  return typeof name === "string" ? name : "";
}

const RECORD = /^\/(authors|books|works)\/([^/]+)$/;
const CATEGORIES: ReadonlyMap<string, CoverCategory> = new Map([
  ["authors", "a"],
  ["books", "b"],
  ["works", "w"],
]);

/** `GET /suggest/thumbnail?id=<key>`: the small picture of a record, the same that `/b/olid/…` shows (Q402). */
export const suggestThumbnail = operation({
  id: "suggestThumbnail",
  summary: "Redirect to the thumbnail of a record",
  tag: "search",
  query: { id: z.string().default("").describe("Key of the record") },
  responses: {
    302: { description: "Redirect to the thumbnail" },
    404: { description: "Record not found, or without an image" },
  },
  async handle({ query: { id } }, context) {
    const [, folder = "", value = ""] = RECORD.exec(id) ?? [];
    const category = CATEGORIES.get(folder);
    if (category === undefined) throw notFound();
    const number = await resolveCover(context, { category, key: "olid", value });
    if (number === undefined) throw notFound();
    return redirect(302, `${coversUrl(context)}/${category}/id/${number}-S.jpg`);
  },
});
