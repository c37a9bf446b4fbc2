import { CarrelError, methodNotAllowed } from "../../http/errors.ts";
import { requireWritable } from "../../http/read-only.ts";
import { type ErrorBody, answering, jsonResponse, pathOf } from "../answering.ts";
import { activate, findByNameOrEmail, register, usernameOfEmail } from "./accounts.ts";
import { type StoreCall, type Surroundings, answerHeaders, callerContext, storeCall } from "./call.ts";
import {
  countAuthorEditions,
  countUserEdits,
  countWorkEditions,
  day,
  hasUser,
  keyOfOlid,
  mostRecent,
  nextInSequence,
  sequenceOf,
  unusedKey,
} from "./counters.ts";
import { deleteDocument, findDocuments, getDocument, putDocument, putManyDocuments } from "./documents.ts";
import { log } from "./log.ts";
import { currentUser, login, updateUser } from "./login.ts";
import { changeById, getRecord, getRecords, permission, recentChanges, things, versions } from "./records.ts";
import { reindexKeys, saveOne, saveSeveral, write } from "./save.ts";
import { clearCache, createSite, echo, reloadConfig, site, welcome } from "./service.ts";
import { updateAccount, updateDetails } from "./update-account.ts";

type Call = (call: StoreCall) => unknown;
type Line = readonly [
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: RegExp,
  call: Call,
  /** Where arguments come from besides the query. */
  body?: "form",
];

/** The record store's interface. `SITE` is any name; there is one site (Q43). */
const CALLS: readonly Line[] = [
  ["GET", /^\/$/, welcome],
  ["POST", /^\/_echo$/, echo],
  ["POST", /^\/_reload_config$/, reloadConfig],
  ["GET", /^\/([^/_][^/]*)$/, site],
  ["PUT", /^\/([^/_][^/]*)$/, createSite],
  ["GET", /^\/[^/]+\/get$/, getRecord],
  ["GET", /^\/[^/]+\/get_many$/, getRecords],
  ["GET", /^\/[^/]+\/things$/, things],
  ["GET", /^\/[^/]+\/new_key$/, unusedKey],
  ["POST", /^\/[^/]+\/save(\/.*)$/, saveOne],
  ["POST", /^\/[^/]+\/save_many$/, saveSeveral, "form"],
  ["POST", /^\/[^/]+\/write$/, write, "form"],
  ["POST", /^\/[^/]+\/reindex$/, reindexKeys, "form"],
  ["GET", /^\/[^/]+\/permission$/, permission],
  ["GET", /^\/[^/]+\/versions$/, versions],
  ["GET", /^\/[^/]+\/_recentchanges$/, recentChanges],
  ["GET", /^\/[^/]+\/_recentchanges\/(\d{1,15})$/, changeById],
  ["GET", /^\/([^/]+)\/log\/(\d{4}-\d{2}-\d{2}):(\d{1,9})$/, log],
  ["POST", /^\/[^/]+\/account\/login$/, login, "form"],
  ["POST", /^\/[^/]+\/account\/register$/, register, "form"],
  ["POST", /^\/[^/]+\/account\/activate$/, activate, "form"],
  ["POST", /^\/[^/]+\/account\/update$/, updateAccount, "form"],
  ["POST", /^\/[^/]+\/account\/update_user$/, updateUser, "form"],
  ["POST", /^\/[^/]+\/account\/update_user_details$/, updateDetails, "form"],
  ["GET", /^\/[^/]+\/account\/find$/, findByNameOrEmail],
  ["GET", /^\/[^/]+\/account\/find_user_by_email$/, usernameOfEmail],
  ["GET", /^\/[^/]+\/account\/get_user$/, currentUser],
  ["GET", /^\/[^/]+\/_store\/_query$/, findDocuments],
  ["POST", /^\/[^/]+\/_store\/_save_many$/, putManyDocuments],
  ["GET", /^\/[^/]+\/_store\/([^_].*)$/, getDocument],
  ["PUT", /^\/[^/]+\/_store\/([^_].*)$/, putDocument],
  ["DELETE", /^\/[^/]+\/_store\/([^_].*)$/, deleteDocument],
  ["GET", /^\/[^/]+\/_seq\/(\w{1,64})$/, sequenceOf],
  ["POST", /^\/[^/]+\/_seq\/(\w{1,64})$/, nextInSequence],
  ["GET", /^\/[^/]+\/count_editions_by_author$/, countAuthorEditions],
  ["GET", /^\/[^/]+\/count_editions_by_work$/, countWorkEditions],
  ["GET", /^\/[^/]+\/count_edits_by_user$/, countUserEdits],
  ["GET", /^\/[^/]+\/most_recent$/, mostRecent],
  ["GET", /^\/[^/]+\/stats\/(\d{4}-\d{2}-\d{2})$/, day],
  ["GET", /^\/[^/]+\/has_user$/, hasUser],
  ["GET", /^\/[^/]+\/olid_to_key$/, keyOfOlid],
  ["POST", /^\/[^/]+\/clear_cache$/, clearCache],
];

/** What may be called while the service is read-only although the method is not GET. */
const IN_READ_ONLY: ReadonlySet<Call> = new Set<Call>([echo, reloadConfig, clearCache, createSite, login]);

/** Errors have a code here; the main site has other shapes for some. */
const errorBody: ErrorBody = ({ code, message, body }) =>
  body === null || "error" in body ? body : { error: code, message };

/** Answers a call of the record store. It is a service for the service: not for the public. */
export function recordStore(request: Request, surroundings: Surroundings): Promise<Response> {
  return answering(request, errorBody, async () => {
    const pathname = pathOf(request);
    const fitting = CALLS.filter(([, path]) => path.test(pathname));
    if (fitting.length === 0)
      throw new CarrelError(404, "notfound", { body: { error: "notfound", key: pathname } });
    const method = request.method === "HEAD" ? "GET" : request.method;
    const found = fitting.find(([own]) => own === method);
    if (found === undefined) throw methodNotAllowed(fitting.map(([own]) => own));
    const [, path, call, body] = found;
    const context = callerContext(request, surroundings);
    if (method !== "GET" && !IN_READ_ONLY.has(call)) await requireWritable(context);
    const answer = await call(await storeCall(context, { path, takesForm: body === "form" }));
    return jsonResponse(answer ?? null, { headers: answerHeaders(context) });
  });
}
