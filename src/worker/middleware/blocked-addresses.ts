import { createMiddleware } from "hono/factory";
import { isBlockedAddress } from "../admin/blocked-addresses.ts";
import { CarrelError } from "../errors.ts";
import { plainPath } from "../path-pattern.ts";
import type { Carried } from "../serve.ts";

const READING = new Set(["GET", "HEAD", "OPTIONS"]);
/** What is open to everybody: to log in and out, and what asks for more than an address. */
const OPEN = /^\/(?:account\/(?:login(?:\.json)?|logout)$|admin(?:\/|$))/;

/** Addresses that administrators have blocked change nothing, and see no form for it (records.md 10.3). */
export const blockedAddresses = createMiddleware<Carried>(async (c, next) => {
  const context = c.env.carrel;
  const pathname = plainPath(context.url.pathname);
  const isReading = READING.has(context.request.method) && !pathname.endsWith("/edit");
  if (isReading || OPEN.test(pathname) || !(await isBlockedAddress(context))) return next();
  const message = "Your address is blocked.";
  throw new CarrelError(403, "permission_denied", {
    message,
    // Both shapes of errors, because any route may be meant.
    body: { error: "permission_denied", message, detail: message },
  });
});
