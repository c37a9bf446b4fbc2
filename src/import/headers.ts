/** A field that a header of an import adds to the record: its name as the field table spells it, and its text. */
export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** The fields of the headers of one import, in the order in which they are added. */
export type HeaderFields = readonly HeaderField[];

/** Two digits repeat a name, which the headers of one request cannot. */
const HEADER = /^x-archive-meta(\d\d)?-(.+)$/;

/**
 * The fields in the headers `X-Archive-Meta-<name>` and `X-Archive-Meta<NN>-<name>` (import.md 2.1): those without a
 * number first, then by number.
 */
export function headerFields(headers: Iterable<readonly [name: string, value: string]>): HeaderFields {
  const numbered: { readonly number: string; readonly field: HeaderField }[] = [];
  for (const [header, value] of headers) {
    const [, number = "", name] = HEADER.exec(header.toLowerCase()) ?? [];
    if (name === undefined) continue;
    numbered.push({ number, field: { name: name.replaceAll("-", "_"), value: headerValue(value) } });
  }
  return numbered
    .sort((a, b) => (a.number < b.number ? -1 : Number(a.number > b.number)))
    .map(({ field }) => field);
}

/** Headers are bytes, which the runtime hands over one as a character each: bytes that are UTF-8 are read as that. Q326 */
function headerValue(value: string): string {
  const codes = Array.from(value, (character) => character.charCodeAt(0));
  if (codes.every((code) => code < 0x80) || codes.some((code) => code > 0xff)) return value;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(codes));
  } catch (error) {
    if (error instanceof TypeError) return value;
    throw error;
  }
}
