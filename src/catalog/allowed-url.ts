export const WEB_ADDRESS = /^https?:\/\/[^\s]+$/i;

/**
 * Parses an http or https address on one of the hosts. Returns undefined for every other address. Hosts are compared as
 * a whole, ignoring case, with the port unless it is the default: neither `archive.org.example`, nor `archive.org:22`,
 * nor an IP address is `archive.org`. Addresses with credentials are rejected. With `subdomains`, subdomains of the
 * hosts are allowed too: `dn1.archive.org`.
 */
export function parseAllowedUrl(
  address: string | null,
  hosts: readonly string[],
  { subdomains = false }: { subdomains?: boolean } = {},
): URL | undefined {
  const url = address === null ? null : URL.parse(address);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  const isAllowed = hosts.some((allowedHost) => {
    const host = allowedHost.toLowerCase();
    return host === url.host || (subdomains && url.host.endsWith(`.${host}`));
  });
  return isAllowed ? url : undefined;
}
