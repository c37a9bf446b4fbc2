const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

/** True for an address as changes without an author have one. */
export function isAddress(text: string): boolean {
  return IPV4.test(text);
}

/** True for an IPv4 or IPv6 address. */
export function isNetworkAddress(text: string): boolean {
  return isAddress(text) || (/^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`));
}

/** True for an address as clients have one, `local` where there is no network. */
export function isClientAddress(text: string): boolean {
  return text === "local" || isNetworkAddress(text);
}

const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * By what attempts are counted and addresses are blocked: an IPv4 address, or the network of an IPv6 address, because
 * its holder has all of the last 64 bits to himself.
 */
export function clientGroup(client: string): string {
  const address = client.toLowerCase();
  if (!address.includes(":") || address.includes(".")) return address;
  const [head = "", tail = ""] = address.split("::");
  const first = parts(head);
  const last = parts(tail);
  const zeros = address.includes("::") ? Math.max(0, GROUPS - first.length - last.length) : 0;
  const all = [...first, ...Array.from({ length: zeros }, () => "0"), ...last];
  return `${all.slice(0, NETWORK_GROUPS).join(":")}::/64`;
}

function parts(text: string): string[] {
  return text === "" ? [] : text.split(":").map((part) => part.replace(/^0+(?=.)/, ""));
}
