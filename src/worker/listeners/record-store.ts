import { Failure } from "../http/failure.ts";
import { type HonoEnv } from "../http/operation.ts";
import { createMiddleware } from "hono/factory";
import { type Sources, systemSources } from "../http/bindings.ts";
import { isNetworkAddress } from "../http/client-address.ts";
import { SESSION_COOKIE, cookieValue } from "../http/cookie.ts";
import { type Site } from "../http/site.ts";
import { RECORD_STORE_ROUTES } from "./record-store/routes.ts";
import { createServiceSite } from "./service-site.ts";

/** Cookie with which services forward the session of their user on the main site (Q173). */
const TOKEN_COOKIE = "infobase_auth_token";
/** Client of requests without an address: the service itself. */
const NO_ADDRESS = "local";
/** Client of all requests with an invalid address, or several (Q521). */
const UNKNOWN_ADDRESS = "unknown";

/**
 * Creates the record store. Another service calls it on behalf of the user whom the token names, at the address in
 * `X-REMOTE-IP`. Both are trusted, so no other clients may reach this site.
 */
export function createRecordStore(prefix: string, sources: Sources = systemSources): Site {
  return createServiceSite({
    routes: RECORD_STORE_ROUTES,
    prefix,
    sources,
    middleware: [onlyTokenCookie],
    // Errors have a code here; the main site has other shapes for some.
    errorBody({ status, code, message, body }) {
      if (status === 500) return { error: code };
      return body === null || "error" in body ? body : { error: code, message };
    },
    unknownPath: (key) => new Failure(404, "notfound", { body: { error: "notfound", key } }),
    headers: (requestId) => ({ "X-Request-Id": requestId }),
    client(headers) {
      const address = headers.get("X-REMOTE-IP");
      if (address === null) return NO_ADDRESS;
      return isNetworkAddress(address.trim()) ? address.trim() : UNKNOWN_ADDRESS;
    },
    token(headers) {
      const cookies = headers.get("Cookie");
      return cookieValue(cookies, TOKEN_COOKIE) ?? cookieValue(cookies, SESSION_COOKIE);
    },
  });
}

/** Sends services only the token, if one was set or deleted, and removes the cookies for browsers. */
const onlyTokenCookie = createMiddleware<HonoEnv>(async (c, next) => {
  await next();
  const { headers } = c.res;
  const start = `${SESSION_COOKIE}=`;
  const cookie = headers.getSetCookie().findLast((text) => text.startsWith(start));
  headers.delete("Set-Cookie");
  if (cookie !== undefined) headers.set("Set-Cookie", `${TOKEN_COOKIE}=${cookie.slice(start.length)}`);
});
