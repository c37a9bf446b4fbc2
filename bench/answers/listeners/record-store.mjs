/** The calls of the record store (port 7000), and what is sent with them. */
import { anyOf, below } from "../../lib/hostile.ts";
import { documentOf } from "./describe.mjs";
import { oddJson } from "./odd-json.mjs";

/** @import { Random } from "../../lib/hostile.ts" */
/** @import { Pool } from "../openapi/pool.mjs" */
/** @import { Call } from "./describe.mjs" */

const text = { type: "string" };
const needed = { type: "string", required: true };
const number = { type: "integer", minimum: 0, maximum: 1000 };
const any = {};
const ok = { type: "object", required: ["ok"] };
const object = { type: "object" };
const reading = [400, 404, 405, 503];
const writing = [400, 403, 404, 405, 409, 413, 503];

/** @type {readonly Call[]} */
const CALLS = [
  { id: "welcome", method: "GET", path: "/", answer: object, errors: [405] },
  { id: "echo", method: "POST", path: "/_echo", answer: ok, errors: [404, 405] },
  {
    id: "site",
    method: "GET",
    path: "/{site}",
    answer: { type: "object", required: ["name"] },
    errors: reading,
  },
  { id: "createSite", method: "PUT", path: "/{site}", answer: ok, errors: [404, 405, 412] },
  ...readings("get", { key: needed, revision: number, expand: text }, object),
  ...readings("get_many", { keys: needed }, object),
  ...readings("things", { query: needed, details: { type: "boolean" } }, { type: "array" }),
  ...readings("new_key", { type: needed }, text),
  {
    id: "save",
    method: "POST",
    path: "/{site}/save/{key*}",
    bodies: ["application/json"],
    answer: object,
    errors: writing,
  },
  ...writings("save_many", { query: needed, comment: text, action: text, data: text }, { type: "array" }),
  ...writings(
    "write",
    { query: needed, comment: text, action: text },
    { type: "object", required: ["created", "updated"] },
  ),
  ...writings("reindex", { keys: needed }, object),
  ...readings("permission", { key: needed }, { type: "object", required: ["write", "admin"] }),
  ...readings("versions", { query: needed }, { type: "array" }),
  ...readings("_recentchanges", { query: text }, { type: "array" }),
  { id: "changeById", method: "GET", path: "/{site}/_recentchanges/{id}", answer: any, errors: reading },
  {
    id: "log",
    method: "GET",
    path: "/{site}/log/{day}:{offset}",
    query: { limit: number, timestamp: text },
    answer: { type: "object", required: ["data", "offset"] },
    errors: reading,
  },
  ...writings("account/login", { username: needed, password: needed }, ok),
  ...writings(
    "account/register",
    { username: needed, email: needed, password: needed, displayname: text },
    object,
  ),
  ...writings("account/activate", { username: needed }, ok),
  ...writings(
    "account/update",
    {
      username: needed,
      email: text,
      status: { enum: ["active", "blocked"] },
      bot: { type: "boolean" },
      tags: text,
      data: text,
    },
    ok,
  ),
  ...writings(
    "account/update_user",
    { old_password: needed, new_password: text, email: text },
    { type: "null" },
  ),
  ...writings(
    "account/update_user_details",
    { username: needed, bot: { type: "boolean" }, data: text },
    text,
  ),
  ...readings("account/find", { username: text, email: text }, any),
  ...readings("account/find_user_by_email", { email: needed }, any),
  ...readings("account/get_user", { token: text }, any),
  ...readings(
    "_store/_query",
    { type: text, name: text, value: text, limit: number, offset: number, include_docs: { type: "boolean" } },
    { type: "array" },
  ),
  {
    id: "_store/_save_many",
    method: "POST",
    path: "/{site}/_store/_save_many",
    bodies: ["application/json"],
    answer: { type: "null" },
    errors: writing,
  },
  {
    id: "readDocument",
    method: "GET",
    path: "/{site}/_store/{document*}",
    answer: object,
    errors: [...reading, 413],
  },
  {
    id: "putDocument",
    method: "PUT",
    path: "/{site}/_store/{document*}",
    bodies: ["application/json"],
    answer: ok,
    errors: writing,
  },
  { id: "deleteDocument", method: "DELETE", path: "/{site}/_store/{document*}", answer: ok, errors: writing },
  {
    id: "sequence",
    method: "GET",
    path: "/{site}/_seq/{sequence}",
    answer: { type: "object", required: ["name", "value"] },
    errors: reading,
  },
  {
    id: "nextInSequence",
    method: "POST",
    path: "/{site}/_seq/{sequence}",
    answer: { type: "object", required: ["name", "value"] },
    errors: reading,
  },
  ...["count_editions_by_author", "count_editions_by_work", "count_edits_by_user"].flatMap((name) =>
    readings(name, { key: needed }, { type: "integer" }),
  ),
  ...readings("most_recent", {}, any),
  {
    id: "stats",
    method: "GET",
    path: "/{site}/stats/{day}",
    answer: { type: "object", required: ["edits"] },
    errors: reading,
  },
  ...readings("has_user", { username: needed }, { type: "boolean" }),
  ...readings("olid_to_key", { olid: needed }, { type: "object", required: ["olid", "key"] }),
  ...writings("clear_cache", {}, object),
];

/** @param {string} name @param {NonNullable<Call["query"]>} query @param {Call["answer"]} answer @returns {Call[]} */
function readings(name, query, answer) {
  return [{ id: name, method: "GET", path: `/{site}/${name}`, query, answer, errors: reading }];
}

/** @param {string} name @param {NonNullable<Call["form"]>} form @param {Call["answer"]} answer @returns {Call[]} */
function writings(name, form, answer) {
  return [{ id: name, method: "POST", path: `/{site}/${name}`, form, answer, errors: [...writing, 429] }];
}

export const recordStoreDocument = documentOf(CALLS, {
  type: "object",
  required: ["error"],
  properties: { error: { type: "string" }, message: text, key: text },
});

/**
 * Values of parameters and fields of one request of a call.
 * @param {string} id
 * @param {{ random: Random, pool: Pool }} means
 * @returns {Record<string, string[]>}
 */
export function recordStoreValues(id, { random, pool }) {
  const of = (/** @type {readonly string[] | undefined} */ values) => anyOf(random, values ?? [""]);
  const username = of(pool.byName["username"]);
  const key = anyOf(random, [
    anyOf(random, pool.keys),
    `/people/${username}`,
    "/type/edition",
    "/works/OL9999999W",
  ]);
  const query = QUERIES[id] ?? QUERIES["things"];
  return {
    site: ["openlibrary.org", "x"],
    key: [id === "save" ? key.slice(1) : key],
    keys: [
      oddJson(
        Array.from({ length: below(random, 5) }, () => anyOf(random, pool.keys)),
        random,
      ),
    ],
    query: query === undefined ? [] : [oddJson(query({ random, pool, key }), random)],
    data: [oddJson(anyOf(random, [{ displayname: "A Name" }, { parent_changeset: "1" }]), random)],
    tags: [oddJson(["a", "b"], random)],
    id: pool.byName["id"] ?? [],
    offset: ["0", "5", "999999999", "9999999999"],
    day: ["2026-11-22", "2026-02-31", "9999-12-31", "0001-01-01", "2026-13-01"],
    timestamp: [
      "2026-11-22T00:00:00",
      "2026-11-22",
      "x",
      "2026-11-22T00:00:00.123456",
      "9999-12-31T23:59:59",
    ],
    type:
      id === "new_key"
        ? ["/type/edition", "/type/work", "/type/author", "/type/list", "/type/tag", "/type/page", "x"]
        : ["note", "account", "preferences", "x"],
    username: [username, username.toUpperCase(), `made${below(random, 1000)}`, "admin"],
    password: [username, "x", "a longer password"],
    old_password: [username, "x"],
    email: [`made${below(random, 1000)}@example.com`, `${username}@example.com`, "x"],
    token: ["/people/x,2026-11-22T00:00:00,a$b", "x"],
    document: [
      "note/1",
      "note/2",
      "a b/ß",
      `account/${username}`,
      `account/${username}/verify`,
      `account-email/${username}@example.com`,
      `people/${username}/preferences`,
      `/people/${username}/preferences`,
      "ebooks/starter-bleak-2003",
      "spamwords",
      "x".repeat(513),
      "_x",
    ],
    name: ["text", "list", "a.b", "deep.deep", "__proto__"],
    value: ["1", "true", "first", "x"],
    sequence: ["type_edition_seq", "list", "made", "x".repeat(64), "__proto__"],
    olid: [key.split("/").at(-1) ?? "", "OL1M", "x"],
  };
}

/** @type {Record<string, (world: { random: Random, pool: Pool, key: string }) => unknown>} */
const QUERIES = {
  things: ({ random, key }) =>
    anyOf(random, [
      { type: "/type/edition", limit: 5 },
      { type: "/type/edition", limit: 5, offset: 2, sort: "-last_modified" },
      { type: "/type/edition", works: key },
      { type: "/type/edition", works: { key } },
      { type: "/type/work", "title~": "a*", limit: 3 },
      { type: "/type/work", title: null, subjects: null, limit: 2 },
      { type: "/type/work", "*": null, limit: 1 },
      { type: { key: "/type/edition" }, "last_modified>": "2020-01-01", "last_modified<": "2030-01-01" },
      { key: "/works/OL101W" },
      { "key~": "/works/*", "a:title": "x" },
      [{ type: "/type/author", name: null, works: [{ key: null }] }],
      { type: "/type/edition", "languages.key": "/languages/eng", number_of_pages: 300 },
    ]),
  versions: ({ random, key }) =>
    anyOf(random, [
      { key, limit: 5 },
      { key, revision: 1 },
      { author: key, sort: "-created", offset: 1 },
      { sort: "created", limit: 3 },
      { ip: "127.0.0.1", "created>": "2026-01-01" },
      { change: 1, machine_comment: "x" },
    ]),
  _recentchanges: ({ random, key }) =>
    anyOf(random, [
      {},
      { limit: 5, offset: 1 },
      { kind: "update", bot: true },
      { bot: "no", key },
      { author: key, ip: "127.0.0.1" },
      { begin_date: "2026-01-01", end_date: "2026-12-01" },
      { data: { parent_changeset: "1" } },
      { data: { list: ["1", 2] }, limit: 2 },
    ]),
  save_many: (world) => Array.from({ length: 1 + below(world.random, 3) }, () => savedDocument(world)),
  write: ({ random, pool, key }) =>
    anyOf(random, [
      {
        create: "unless_exists",
        key: `/sandbox/${below(random, 50)}`,
        type: { key: "/type/page" },
        title: "x",
      },
      { key, title: { connect: "update", value: "Another title" } },
      { key, subjects: { connect: "update_list", value: ["a", "b"] } },
      { key, subjects: { connect: "insert", value: "c" } },
      { key, subjects: { connect: "delete", value: "c" } },
      [{ key, type: { connect: "update", key: "/type/delete" } }],
      anyOf(random, pool.documents),
    ]),
};

/** @param {{ random: Random, pool: Pool }} world @returns {Record<string, unknown>} */
function savedDocument({ random, pool }) {
  const page = {
    key: `/sandbox/${below(random, 50)}`,
    type: { key: "/type/page" },
    title: "x",
    body: "text",
  };
  return anyOf(random, [anyOf(random, pool.documents), page]);
}

/**
 * The JSON body of a call that takes one.
 * @param {string} id
 * @param {{ random: Random, pool: Pool, target: string }} means
 * @returns {string | undefined}
 */
export function recordStoreBody(id, { random, pool, target }) {
  if (id === "save") {
    const own = pool.documents.find(({ key }) => target.endsWith(encodeURIComponent(String(key).slice(1))));
    return oddJson({ ...(own ?? savedDocument({ random, pool })), _comment: "x", _action: "update" }, random);
  }
  if (id === "putDocument") return oddJson(storeDocument(random), random);
  if (id !== "_store/_save_many") return undefined;
  const all = Array.from({ length: 1 + below(random, 4) }, () => ({
    _key: anyOf(random, ["note/1", "note/2", "note/3", "a b/ß"]),
    ...storeDocument(random),
  }));
  return oddJson(all, random);
}

/** @param {Random} random */
function storeDocument(random) {
  return anyOf(random, [
    { type: "note", text: "first", _rev: null },
    { type: "note", list: [1, "a", true, null, { a: { b: 2 } }], _rev: null },
    { type: "note", text: "x" },
    { _delete: true },
    { type: "preferences", public_readlog: "yes", _rev: null },
    { spamwords: [], domains: [], _rev: null },
  ]);
}
