import { timingSafeEqual, createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { type BlockList, isIP } from "node:net";

/** Characters that workerd rejects in a URL (400, "invalid URI"), although curl, Python, Go and Node send them raw. */
const REFUSED = /["<>`]/g;
/** Headers that only the front may set. */
const OWN_HEADERS = ["cf-connecting-ip", "carrel-forward-auth"];
const FORWARDED = "x-forwarded-for";
const PROTOCOL = "x-forwarded-proto";

/** Escapes characters that the runtime rejects, as browsers and Cloudflare's network do. */
export function escapeUrl(url: string) {
  return url.replace(REFUSED, (character) => encodeURIComponent(character));
}

/** Documents about a site that are at the root of its host, with its folder behind them (RFC 8414, 3.1; RFC 9728, 3.1). */
const WELL_KNOWN = /^\/\.well-known\/oauth-(?:authorization-server|protected-resource)(?=\/)/;

/** Returns the address below the folder of the site; undefined for one outside of it. */
export function removePrefix(url: string, prefix: string): string | undefined {
  const [document] = (prefix !== "" && WELL_KNOWN.exec(url)) || [];
  if (document !== undefined) {
    const place = removePrefix(url.slice(document.length), prefix);
    return place === undefined ? undefined : document + place.replace(/^\/(?=$|\?)/, "");
  }
  if (!url.startsWith(prefix)) return undefined;
  const rest = url.slice(prefix.length);
  if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  return rest.startsWith("/") ? rest : undefined;
}

/** Returns true if a request sends this token as `Authorization: Bearer`. Constant time. */
export function isSecret(authorization: string | undefined, token: string) {
  const [given, known] = [authorization ?? "", `Bearer ${token}`].map((text) =>
    createHash("sha256").update(text).digest(),
  );
  return given !== undefined && known !== undefined && timingSafeEqual(given, known);
}

/** Returns true for the address of a proxy whose headers count. */
function isTrusted(address: string, trusted: BlockList) {
  const version = isIP(address);
  return version !== 0 && trusted.check(address, version === 4 ? "ipv4" : "ipv6");
}

/** An IPv4 address in the form of IPv6, as a server that listens on both sees it. */
const MAPPED = /^::ffff:(?=[\d.]+$)/i;

/**
 * Returns the address of the client: that of the connection, or the last one in `X-Forwarded-For` that is none of the
 * trusted proxies. What stands before it is what the client says of itself.
 */
export function clientAddress(peer: string, headers: IncomingHttpHeaders, trusted: BlockList) {
  let address = peer.replace(MAPPED, "");
  const hops = [headers[FORWARDED] ?? []].flat().join(",").split(",");
  while (isTrusted(address, trusted)) {
    // Some proxies add the port: 192.0.2.1:4711, [2001:db8::1]:4711.
    const hop = (hops.pop() ?? "")
      .trim()
      .replace(/^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/, "$1$2")
      .replace(MAPPED, "");
    if (isIP(hop) === 0) break;
    address = hop;
  }
  return address;
}

/** Rules of a front for the headers of requests. */
export interface FrontRules {
  trusted: BlockList;
  /** Protocol of the site, which a trusted proxy need not name. */
  protocol: "http" | "https";
  /** Names of the headers in which an authenticating proxy names user, email address and full name; none: not used. */
  identity: { names: readonly string[]; secret: string };
}

/** Replaces the headers that tell the worker about the client. Those that clients send themselves do not count. */
export function rewriteHeaders(headers: IncomingHttpHeaders, peer: string, rules: FrontRules) {
  const isProxy = isTrusted(peer.replace(MAPPED, ""), rules.trusted);
  const client = clientAddress(peer, headers, rules.trusted);
  // Commands of this machine need no encryption.
  const isLocal = isProxy || /^(?:127\.|::1$)/.test(peer.replace(MAPPED, ""));
  const protocol = (isProxy && last(headers[PROTOCOL])) || (isLocal ? rules.protocol : "http");
  const said = identityOf(headers, rules.identity.names);
  for (const name of [...OWN_HEADERS, FORWARDED, "expect", ...rules.identity.names])
    delete headers[name.toLowerCase()];
  headers["cf-connecting-ip"] = client;
  headers[PROTOCOL] = protocol;
  if (isProxy && said !== undefined) {
    headers["carrel-forward-auth"] =
      `${rules.identity.secret} ${Buffer.from(JSON.stringify(said)).toString("base64url")}`;
  }
}

function identityOf(headers: IncomingHttpHeaders, names: readonly string[]) {
  const [user, email, name] = names.map((one) => {
    // Node reads headers as Latin-1; proxies send UTF-8.
    return Buffer.from(String(headers[one.toLowerCase()] ?? ""), "latin1").toString();
  });
  return user === undefined || user === "" ? undefined : { user, email, name };
}

/** Returns the value that the nearest proxy has added. */
function last(value: string | string[] | undefined) {
  return [value ?? []].flat().join(",").split(",").at(-1)?.trim() || undefined;
}
