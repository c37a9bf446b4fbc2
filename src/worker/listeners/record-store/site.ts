import { createMiddleware } from "hono/factory";
import { type Sources, systemSources } from "../../http/bindings.ts";
import { isNetworkAddress } from "../../http/client-address.ts";
import { SESSION_COOKIE, cookieValue } from "../../http/cookie.ts";
import { CarrelError } from "../../http/errors.ts";
import type { Carried } from "../../http/serve.ts";
import type { Site } from "../../http/site.ts";
import { serviceSite } from "../service-site.ts";
import { RECORD_STORE_ROUTES } from "./routes.ts";

/** Cookie in which services pass on who they work for: the value of the main site's session (Q173). */
const TOKEN_COOKIE = "infobase_auth_token";
/** What a client that named no address is counted as: the service itself. */
const NO_ADDRESS = "local";
/** What all are counted as whose address is none, or several (Q521). */
const UNKNOWN_ADDRESS = "unknown";

/**
 * The record store. Another service calls it for whom the token names, at the address in `X-REMOTE-IP`. It is believed
 * both, so nobody else must get here.
 */
export function createRecordStore(prefix: string, sources: Sources = systemSources): Site {
  return serviceSite({
    routes: RECORD_STORE_ROUTES,
    prefix,
    sources,
    middleware: [tokenAlone],
    // Errors have a code here; the main site has other shapes for some.
    errorBody({ status, code, message, body }) {
      if (status === 500) return { error: code };
      return body === null || "error" in body ? body : { error: code, message };
    },
    unknownPath: (key) => new CarrelError(404, "notfound", { body: { error: "notfound", key } }),
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

/** Services are told the token, when one was given or taken away, and nothing of what is for browsers. */
const tokenAlone = createMiddleware<Carried>(async (c, next) => {
  await next();
  const { headers } = c.res;
  const start = `${SESSION_COOKIE}=`;
  const cookie = headers.getSetCookie().findLast((text) => text.startsWith(start));
  headers.delete("Set-Cookie");
  if (cookie !== undefined) headers.set("Set-Cookie", `${TOKEN_COOKIE}=${cookie.slice(start.length)}`);
});
