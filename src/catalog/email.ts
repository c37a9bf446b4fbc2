/** Longest e-mail address, in characters (RFC 5321). */
export const EMAIL_LENGTH_MAX = 254;

const EMAIL =
  /^[^\s@<>(),;:"[\]\\\p{Cc}]{1,64}@[^\s@<>(),;:"[\]\\\p{Cc}.]+(?:\.[^\s@<>(),;:"[\]\\\p{Cc}.]+)+$/u;

/** True for what can be an e-mail address: one `@`, a host with a dot, nothing that a mail header takes otherwise. */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_LENGTH_MAX && EMAIL.test(text);
}

/** An address as identity providers are asked for it: trimmed, in lower case (patrons.md 2.1). */
export function plainEmail(text: string): string {
  return text.trim().toLowerCase();
}
