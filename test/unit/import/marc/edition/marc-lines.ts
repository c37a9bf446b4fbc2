import { editionOfMarc } from "../../../../../src/import/marc/edition.ts";
import type { MarcField, MarcRecord } from "../../../../../src/import/marc/record.ts";
import type { ImportRecord } from "../../../../../src/import/record.ts";

/** A field in short: `001 text`, or tag, indicators and subfields: `245 10‡aTitle :‡bsubtitle`. */
function fieldOf(line: string): MarcField {
  const tag = line.slice(0, 3);
  if (tag.startsWith("00")) return { tag, value: line.slice(4) };
  const subfields = line
    .slice(7)
    .split("‡")
    .map((text): [string, string] => [text.slice(0, 1), text.slice(1)]);
  return { tag, ind1: line.charAt(4), ind2: line.charAt(5), subfields };
}

/** A record of the fields given in short. */
export function marc(...lines: string[]): MarcRecord {
  return { leader: "00000nam a2200000 a 4500", fields: lines.map(fieldOf) };
}

/** The edition of a record with a title and the fields given in short; the title itself is left out. */
export function edition(...lines: string[]): ImportRecord {
  const { title, ...members } = editionOfMarc(marc("245 10‡aTitle", ...lines));
  if (title !== "Title") throw new Error(`The title became ${JSON.stringify(title)}.`);
  return members;
}

const CODED = "010203s2001    nyu                 eng d";

/** A field 008 with some of its places filled otherwise. */
export function coded(places: Readonly<Record<number, string>> = {}): string {
  let text = CODED;
  for (const [place, value] of Object.entries(places)) {
    text = text.slice(0, Number(place)) + value + text.slice(Number(place) + value.length);
  }
  return `008 ${text}`;
}
