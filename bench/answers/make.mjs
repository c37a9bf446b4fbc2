/** Requests of a list, and who makes them. */
import { contentOf } from "./lines.mjs";
import { SECRETS } from "./service.mjs";

/** @import { Request } from "./openapi/client.mjs" */
/** @import { Asked } from "./lines.mjs" */

export const JSON_TYPE = "application/json";
export const FORM_TYPE = "application/x-www-form-urlencoded";
export const HTML = "text/html,application/xhtml+xml,*/*;q=0.8";

/**
 * A request; `body` is sent as JSON, or as a form, unless it is a text already.
 * @param {Partial<Asked> & { target: string }} about
 * @param {unknown} [body]
 * @returns {Asked}
 */
export function asked(about, body) {
  const { at = "main", by = "anonymous", method = body === undefined ? "GET" : "POST", headers = {} } = about;
  const whose = { ...headersOf(by, at), ...headers };
  const made = { part: "", ...about, at, by, method, headers: whose };
  if (body === undefined) return made;
  if (typeof body === "string") return { ...made, body: contentOf(Buffer.from(body)) };
  const isForm = body instanceof URLSearchParams;
  return {
    ...made,
    headers: { "Content-Type": isForm ? FORM_TYPE : JSON_TYPE, ...whose },
    body: contentOf(Buffer.from(isForm ? String(body) : JSON.stringify(body))),
  };
}

/**
 * A request that one of the fuzzes has made. Its length is told when names are filled in.
 * @param {Partial<Asked>} about
 * @param {Request} made
 * @returns {Asked}
 */
export function ofMade(about, { method, target, headers: { "Content-Length": _length, ...headers }, body }) {
  const request = asked({ ...about, method, target, headers });
  return body === undefined ? request : { ...request, body: contentOf(body) };
}

/** The request that opens a session. @param {string} username @returns {Asked} */
export function login(username) {
  const keep = {
    [`session_${username}`]: { in: /** @type {const} */ ("cookies"), match: "^session=(/[^;]+)" },
  };
  return asked({ part: "login", target: "/account/login.json", keep }, { username, password: username });
}

/** What shows who somebody is. @param {string} by @param {Asked["at"]} at @returns {Record<string, string>} */
function headersOf(by, at) {
  if (by === "anonymous") return {};
  if (by === "operator") return { Authorization: `Bearer ${SECRETS.token}` };
  if (by === "covers") return { Authorization: `Bearer ${SECRETS.covers}` };
  // Services call the session otherwise than browsers.
  const name = at === "record" || at === "search" ? "infobase_auth_token" : "session";
  return { Cookie: `${name}={{session_${by}}}` };
}
