const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);
/** Schemes that browsers act on themselves, or that other programs than an app answer to. */
const RESERVED =
  /^(?:about|blob|cid|data|file|filesystem|ftp|intent|jar|javascript|mailto|mid|ms-[\w-]+|sms|tel|urn|vbscript|view-source|wss?|chrome(?:-extension)?|resource):$/;

/**
 * Returns true for an address that a code may be sent to: HTTPS, HTTP of the user's own machine, or a scheme of the app
 * itself (RFC 8252); without a fragment and a name before the host. It must be written as browsers write it, so that
 * two addresses that are equal as text lead to the same place.
 */
export function isRedirectAddress(address: string): boolean {
  const url = URL.parse(address);
  if (url === null || /[\s\\#]/.test(address) || url.username !== "" || url.password !== "") return false;
  if (url.protocol === "https:") return url.href === withPath(address, url);
  if (url.protocol === "http:") return LOOPBACK.has(url.hostname) && url.href === withPath(address, url);
  return /^[a-z][a-z\d+.-]*:/.test(address) && !RESERVED.test(url.protocol);
}

/** Returns the address with the path `/` that browsers add to a bare host. */
function withPath(address: string, { pathname, search }: URL): string {
  return pathname === "/" && !address.slice(0, address.length - search.length).endsWith("/")
    ? `${address.slice(0, address.length - search.length)}/${search}`
    : address;
}

/** Returns true if the address is registered: equal to the letter, but for the port of the user's own machine. */
export function isRegistered(address: string, registered: readonly string[]): boolean {
  if (!isRedirectAddress(address)) return false;
  return registered.some(
    (known) => known === address || withoutLoopbackPort(known) === withoutLoopbackPort(address),
  );
}

/** Returns an address without its port if it is of the user's own machine, where apps get any free port (RFC 8252, 7.3). */
function withoutLoopbackPort(address: string): string {
  const url = new URL(address);
  if (url.protocol !== "http:" || !LOOPBACK.has(url.hostname)) return address;
  url.port = "";
  return url.href;
}

/** Returns where an app is, for people: its host, or its scheme. */
export function placeOf(address: string): string {
  const url = new URL(address);
  return url.protocol === "https:" || url.protocol === "http:" ? url.host : url.protocol;
}

/** Returns the address with parameters of the answer added to its own. */
export function withParameters(
  address: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.append(name, value);
  return url.href;
}
