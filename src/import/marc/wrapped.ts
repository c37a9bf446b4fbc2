import { WRAPPED_LENGTH } from "./limits.ts";
import { MarcError } from "./record.ts";

/** A field as it stands in the record, its terminator included. */
export interface RawField {
  readonly tag: string;
  /** Where its bytes are … */
  readonly bytes: Uint8Array;
  /** … and where they begin there; -1 when it lies outside of the record. */
  readonly start: number;
  /** Its bytes, a character each. */
  readonly characters: string;
}

const CONTINUED = "++\u001E";

/** The fields with those joined that go on in the next one. Throws MarcError at one that goes on nowhere. */
export function joinedFields(fields: readonly RawField[]): readonly RawField[] {
  if (!fields.some(isContinued)) return fields;
  const joined: RawField[] = [];
  let open: RawField[] = [];
  for (const field of fields) {
    if (open.length > 0 && open[0]?.tag !== field.tag) break;
    open.push(field);
    if (isContinued(field)) continue;
    joined.push(open.length === 1 ? field : join(open));
    open = [];
  }
  if (open.length > 0) throw new MarcError("bad-marc", `field ${open[0]?.tag} is not continued`);
  return joined;
}

function isContinued({ characters }: RawField): boolean {
  return characters.length > WRAPPED_LENGTH && characters.endsWith(CONTINUED);
}

/** Without the signs of continuation in between, and without the indicators of all but the first. */
function join(fields: readonly RawField[]): RawField {
  const parts = fields.map((field, index) => {
    const from = index === 0 ? 0 : 2;
    const to = field.characters.length - (index === fields.length - 1 ? 0 : CONTINUED.length);
    return { field, from, to };
  });
  const characters = parts.map(({ field, from, to }) => field.characters.slice(from, to)).join("");
  const bytes = new Uint8Array(characters.length);
  let at = 0;
  for (const { field, from, to } of parts) {
    if (to <= from) continue;
    bytes.set(field.bytes.subarray(field.start + from, field.start + to), at);
    at += to - from;
  }
  return { tag: fields[0]?.tag ?? "", bytes, start: 0, characters };
}
