import type { RequestContext } from "./operation.ts";

/** Loopback names of this machine, as the host of a URL. */
export const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;
/** Host names that no public server can have (RFC 6761). */
const RESERVED = /\.(?:localhost|test)$/;
const PROXY_HEADER = /^(?:forwarded|via|x-forwarded-.+|x-real-ip)$/;

/**
 * Returns true for a request to a development service that comes from its own machine. Through a proxy or a tunnel any
 * client could use the development accounts, whose passwords are known, and read the outbox.
 */
export function isLocalDevelopment({
  settings,
  request,
  url,
}: Pick<RequestContext, "settings" | "request" | "url">): boolean {
  if (settings.ENVIRONMENT !== "development") return false;
  const isProxied = [...request.headers.keys()].some((name) => PROXY_HEADER.test(name));
  return !isProxied && (LOOPBACK.test(url.hostname) || RESERVED.test(url.hostname));
}
