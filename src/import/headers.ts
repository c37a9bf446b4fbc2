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
    if (name !== undefined) numbered.push({ number, field: { name: name.replaceAll("-", "_"), value } });
  }
  return numbered
    .sort((a, b) => (a.number < b.number ? -1 : Number(a.number > b.number)))
    .map(({ field }) => field);
}
