const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

/** True for an address as changes without an author have one. */
export function isAddress(text: string): boolean {
  return IPV4.test(text);
}

const IPV6 = /^(?=.*:.*:)[0-9a-f:]{2,39}(?::\d{1,3}(?:\.\d{1,3}){3})?$/i;

/** True for an address as clients have one: IPv4, IPv6, or `local` where there is no network. */
export function isClientAddress(text: string): boolean {
  return text === "local" || isAddress(text) || IPV6.test(text);
}
