const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

/** Returns true for an IPv4 address, the form in which changes without an author record it. */
export function isAddress(text: string): boolean {
  return IPV4.test(text);
}

/** Returns true for an IPv4 or IPv6 address. */
export function isNetworkAddress(text: string): boolean {
  return isAddress(text) || (/^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`));
}

/** Returns true for the address of a client, `local` where there is no network. */
export function isClientAddress(text: string): boolean {
  return text === "local" || isNetworkAddress(text);
}

const GROUPS = 8;
const NETWORK_GROUPS = 4;
/** IPv6 form of an IPv4 address. */
const MAPPED = /^::ffff:([\da-f]+):([\da-f]+)$/;

/**
 * Returns the unit by which requests and attempts are counted and addresses are blocked: an IPv4 address, or the
 * network of an IPv6 address, because one holder has all of its last 64 bits.
 */
export function clientGroup(client: string): string {
  const address = client.toLowerCase();
  const canonical = address.includes(":")
    ? URL.parse(`http://[${address}]`)?.hostname.slice(1, -1)
    : undefined;
  if (canonical === undefined) return address;
  const mapped = MAPPED.exec(canonical)?.slice(1) ?? [];
  if (mapped.length > 0) return mapped.flatMap(bytesOf).join(".");
  const [first = [], last = []] = canonical.split("::").map((part) => part.split(":").filter(Boolean));
  const zeros = Array.from({ length: GROUPS - first.length - last.length }, () => "0");
  return `${[...first, ...zeros, ...last].slice(0, NETWORK_GROUPS).join(":")}::/64`;
}

/** Returns the two bytes of a group. */
function bytesOf(group: string): number[] {
  const number = Number.parseInt(group, 16);
  return [Math.floor(number / 256), number % 256];
}
