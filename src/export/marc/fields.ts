import type { DataField, Subfield } from "../../import/marc/record.ts";

/** A code and what stands there, if anything does. */
export type Given = readonly [code: string, value: string | undefined];

// oxlint-disable-next-line no-control-regex -- what ends subfields, fields and records, and breaks of lines
const CONTROL = /[\u0000-\u001F\u007F]+/g;

const MARK = /^\p{M}/u;

/** A data field with the subfields that say something; none where nothing does. `indicators` are two characters. */
export function dataField(tag: string, indicators: string, given: readonly Given[]): DataField[] {
  const subfields = given.flatMap(([code, value]): Subfield[] => {
    const text = value?.replace(CONTROL, " ").trim() ?? "";
    // A mark that combines would combine with the code.
    return text === "" ? [] : [[code, MARK.test(text) ? ` ${text}` : text]];
  });
  return subfields.length === 0
    ? []
    : [{ tag, ind1: indicators.charAt(0), ind2: indicators.charAt(1), subfields }];
}

/** A field for each text, in its subfield `a`, with the same further subfields. */
export function eachField(
  [tag, indicators]: readonly [tag: string, indicators: string],
  texts: readonly string[],
  more: readonly Given[] = [],
): DataField[] {
  return texts.flatMap((text) => dataField(tag, indicators, [["a", text], ...more]));
}

const PARAGRAPHS = /\n{2,}/;
/** Longest text that one field is given, in characters: with four bytes each it has room. */
const TEXT_LENGTH = 2400;
const WITHIN = new RegExp(`[^]{1,${TEXT_LENGTH}}(?=\\s|$)|[^]{1,${TEXT_LENGTH}}`, "gu");

/** The paragraphs of a text, long ones in several parts: a field has no breaks of lines, and no more than 9,999 bytes. */
export function paragraphs(text: string | undefined): string[] {
  const lines = (text ?? "").split("\n").map((line) => line.trim());
  const parts = lines.join("\n").split(PARAGRAPHS);
  return parts.flatMap((paragraph) => paragraph.match(WITHIN) ?? []);
}
