/**
 * An address at one of these hosts, by http or https; undefined for every other. Hosts are compared as a
 * whole, whatever the case, with the port where it is not the usual one: neither `archive.org.example`, nor
 * `archive.org:22`, nor the number of a machine is `archive.org`. Names and passwords in addresses are refused. With
 * `subdomains` those below the hosts are allowed too: `dn1.archive.org`.
 */
export function allowedUrl(
  address: string | null,
  hosts: readonly string[],
  { subdomains = false }: { readonly subdomains?: boolean } = {},
): URL | undefined {
  const url = address === null ? null : URL.parse(address);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  const isAllowed = hosts.some((one) => {
    const host = one.toLowerCase();
    return host === url.host || (subdomains && url.host.endsWith(`.${host}`));
  });
  return isAllowed ? url : undefined;
}
