import type { Database } from "../../db/statement.ts";
import { type Settings, settingsOf, storesOf } from "../context.ts";
import { CarrelError, badData, methodNotAllowed } from "../errors.ts";
import { findByNameOrEmail, usernameOfEmail } from "./record-store/accounts.ts";
import { log } from "./record-store/log.ts";
import { changeById, recentChanges, versions } from "./record-store/history.ts";
import { echo, reloadConfig, sequenceOf, site, welcome } from "./record-store/service.ts";
import {
  countAuthorEditions,
  countUserEdits,
  countWorkEditions,
  day,
  hasUser,
  keyOfOlid,
  mostRecent,
} from "./record-store/counters.ts";
import { getRecord, getRecords, things } from "./record-store/things.ts";
import { answering, jsonResponse } from "./service.ts";

/** What a call of the record store works with. */
export interface StoreCall {
  readonly database: Database;
  readonly patrons: D1Database;
  readonly settings: Settings;
  /** Parts of the path that the route names. */
  readonly parts: readonly string[];
  /** An argument of the query; a missing one is a 400. */
  argument(name: string): string;
  optional(name: string): string | undefined;
}

type Call = (call: StoreCall) => unknown;

/** The record store's interface (records.md 8): reading. `SITE` is any name; there is one site (Q43). */
const CALLS: readonly (readonly [method: "GET" | "POST", path: RegExp, call: Call])[] = [
  ["GET", /^\/$/, welcome],
  ["POST", /^\/_echo$/, echo],
  ["POST", /^\/_reload_config$/, reloadConfig],
  ["GET", /^\/([^/]+)$/, site],
  ["GET", /^\/[^/]+\/get$/, getRecord],
  ["GET", /^\/[^/]+\/get_many$/, getRecords],
  ["GET", /^\/[^/]+\/things$/, things],
  ["GET", /^\/[^/]+\/versions$/, versions],
  ["GET", /^\/[^/]+\/_recentchanges$/, recentChanges],
  ["GET", /^\/[^/]+\/_recentchanges\/(\d{1,15})$/, changeById],
  ["GET", /^\/([^/]+)\/log\/(\d{4}-\d{2}-\d{2}):(\d{1,9})$/, log],
  ["GET", /^\/[^/]+\/account\/find$/, findByNameOrEmail],
  ["GET", /^\/[^/]+\/account\/find_user_by_email$/, usernameOfEmail],
  ["GET", /^\/[^/]+\/_seq\/(\w{1,64})$/, sequenceOf],
  ["GET", /^\/[^/]+\/count_editions_by_author$/, countAuthorEditions],
  ["GET", /^\/[^/]+\/count_editions_by_work$/, countWorkEditions],
  ["GET", /^\/[^/]+\/count_edits_by_user$/, countUserEdits],
  ["GET", /^\/[^/]+\/most_recent$/, mostRecent],
  ["GET", /^\/[^/]+\/stats\/(\d{4}-\d{2}-\d{2})$/, day],
  ["GET", /^\/[^/]+\/has_user$/, hasUser],
  ["GET", /^\/[^/]+\/olid_to_key$/, keyOfOlid],
];

/** Answers a call of the record store. It is a service for the service: not for the public. */
export function recordStore(request: Request, env: Env): Promise<Response> {
  return answering(request, async () => {
    const url = new URL(request.url);
    const fitting = CALLS.filter(([, path]) => path.test(url.pathname));
    if (fitting.length === 0)
      throw new CarrelError(404, "notfound", { body: { error: "notfound", key: url.pathname } });
    const method = request.method === "HEAD" ? "GET" : request.method;
    const found = fitting.find(([own]) => own === method);
    if (found === undefined) throw methodNotAllowed(fitting.map(([own]) => own));
    const [, path, call] = found;
    return jsonResponse(await call(storeCall(url, path, env)));
  });
}

function storeCall(url: URL, path: RegExp, env: Env): StoreCall {
  const optional = (name: string): string | undefined => url.searchParams.getAll(name).at(-1);
  const { catalog, patrons } = storesOf(env);
  return {
    database: catalog,
    patrons,
    settings: settingsOf(env),
    parts: (path.exec(url.pathname) ?? []).slice(1),
    optional,
    argument(name) {
      const value = optional(name);
      if (value === undefined) throw badData(`Missing argument: '${name}'`);
      return value;
    },
  };
}
