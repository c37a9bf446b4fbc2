/** Which addresses are meant by hosts. */
interface AllowedUrls {
  /** True: those below the hosts too, `dn1.archive.org` with `archive.org`. */
  readonly subdomains?: boolean;
}

/**
 * An address at one of these hosts, by http or https; undefined for every other. Hosts are compared as a
 * whole, whatever the case, with the port where it is not the usual one: neither `archive.org.example`, nor
 * `archive.org:22`, nor the number of a machine is `archive.org`. Names and passwords in addresses are refused.
 */
export function allowedUrl(
  address: string | null,
  hosts: readonly string[],
  { subdomains = false }: AllowedUrls = {},
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
