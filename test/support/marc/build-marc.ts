export interface MarcParts {
  /** A line each: `001 ocm1`, `245 10‡aTitle‡bMore`. In MARC-8 each character is a byte. */
  readonly fields: readonly string[];
  /** MARC-8 instead of UTF-8. */
  readonly marc8?: boolean;
}

const FIELD_END = "\u001E";
const RECORD_END = "\u001D";

/** A sound record of MARC 21 in its binary form. */
export function marcBytes({ fields, marc8 = false }: MarcParts): Uint8Array {
  const encode = (text: string) => (marc8 ? bytewise(text) : new TextEncoder().encode(text));
  const bodies = fields.map((line) => encode(line.slice(4).replaceAll("‡", "\u001F") + FIELD_END));
  let place = 0;
  const directory = fields.map((line, index) => {
    const length = bodies[index]?.length ?? 0;
    // Four digits; readers go on to the terminator.
    const entry = line.slice(0, 3) + padded(Math.min(length, 9999), 4) + padded(place, 5);
    place += length;
    return entry;
  });
  const base = 24 + directory.length * 12 + 1;
  const leader = `${padded(base + place + 1, 5)}nam ${marc8 ? " " : "a"}22${padded(base, 5)} a 4500`;
  const head = encode(leader + directory.join("") + FIELD_END);
  return joined([head, ...bodies, encode(RECORD_END)]);
}

/** Formats a record as MARCXML, without a declaration. */
export function marcXml({ fields }: MarcParts): string {
  const inside = fields.map((line) => {
    const [tag, content] = [line.slice(0, 3), line.slice(4)];
    if (tag.startsWith("00")) return `<controlfield tag="${tag}">${escaped(content)}</controlfield>`;
    const [indicators = "", ...subfields] = content.split("‡");
    const values = subfields.map(
      (one) => `<subfield code="${one.slice(0, 1)}">${escaped(one.slice(1))}</subfield>`,
    );
    return `<datafield tag="${tag}" ind1="${indicators.charAt(0)}" ind2="${indicators.charAt(1)}">${values.join("")}</datafield>`;
  });
  return `<record xmlns="http://www.loc.gov/MARC21/slim"><leader>00000nam a2200000 a 4500</leader>${inside.join("")}</record>`;
}

/** A byte for each character below 256. */
export function bytewise(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Bytes one after another. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function padded(number: number, digits: number): string {
  return String(number).padStart(digits, "0");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
