const IPV6 = /^(?=.*:.*:)[0-9a-f:]{2,39}$/i;
const PREFIX = /^\d{1,3}$/;
const GROUPS = 8;

/**
 * True for a line that says which addresses are a library's: an address, a network (`192.0.2.0/24`), addresses from one to
 * another (`192.0.2.1-192.0.2.9`), or an address with `*` or `1-9` in places. What follows a `#` is a remark.
 */
export function isIpRange(line: string): boolean {
  const text = (line.split("#")[0] ?? "").trim();
  if (text === "") return true;
  const [address = "", prefix, ...more] = text.split("/");
  if (prefix !== undefined) return more.length === 0 && isNetwork(address, prefix);
  const [first = "", last, ...others] = text.split(/\s*-\s*/);
  if (last !== undefined && others.length === 0 && isIpv4(first) && isIpv4(last)) return true;
  return isIpv6(text) || isPattern(text);
}

function isNetwork(address: string, prefix: string): boolean {
  const bits = isIpv4(address) ? 32 : isIpv6(address) ? 128 : -1;
  return PREFIX.test(prefix) && Number(prefix) <= bits;
}

function isPattern(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => part === "*" || isSpan(part));
}

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every(isByte);
}

function isIpv6(text: string): boolean {
  if (!IPV6.test(text) || text.split("::").length > 2) return false;
  const groups = text.split(":").filter((group) => group !== "");
  const isShort = text.includes("::");
  return (
    groups.every((group) => group.length <= 4) &&
    (isShort ? groups.length < GROUPS : groups.length === GROUPS)
  );
}

function isByte(text: string): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) <= 255;
}

/** One number of an address, or from one to another. */
function isSpan(text: string): boolean {
  const ends = text.split("-");
  return ends.length <= 2 && ends.every(isByte);
}
