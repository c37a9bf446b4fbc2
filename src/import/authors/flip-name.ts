import { withoutFinalDot } from "../marc/edition/text.ts";

const COMMA = 0x2c;

/** Natural order of a name in catalogue order (import.md 17.1): `Smith, John.` is John Smith. */
export function flipName(name: string): string {
  const bare = withoutFinalDot(name);
  const end = bare.indexOf(", ");
  if (end === -1) return bare;
  let start = end;
  while (bare.charCodeAt(start - 1) === COMMA) start -= 1;
  return `${bare.slice(end + 2)} ${bare.slice(0, start)}`;
}
