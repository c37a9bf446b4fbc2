import type { DataField, Subfield } from "../../import/marc/record.ts";

/** Subfield code with its value, if there is one. */
export type OptionalSubfield = readonly [code: string, value: string | undefined];

// oxlint-disable-next-line no-control-regex -- what ends subfields, fields and records, and breaks of lines
const CONTROL = /[\u0000-\u001F\u007F]+/g;

const MARK = /^\p{M}/u;

/** Returns a data field with its non-empty subfields, or none without any. `indicators` are two characters. */
export function dataField(tag: string, indicators: string, optionalSubfields: readonly OptionalSubfield[]): DataField[] {
  const subfields = optionalSubfields.flatMap(([code, value]): Subfield[] => {
    const text = value?.replace(CONTROL, " ").trim() ?? "";
    // A combining mark would combine with the code.
    return text === "" ? [] : [[code, MARK.test(text) ? ` ${text}` : text]];
  });
  return subfields.length === 0
    ? []
    : [{ tag, ind1: indicators.charAt(0), ind2: indicators.charAt(1), subfields }];
}

/** Returns a field for each text, in its subfield `a`, with the same further subfields. */
export function eachField(
  [tag, indicators]: readonly [tag: string, indicators: string],
  texts: readonly string[],
  more: readonly OptionalSubfield[] = [],
): DataField[] {
  return texts.flatMap((text) => dataField(tag, indicators, [["a", text], ...more]));
}

const PARAGRAPHS = /\n{2,}/;
/** Maximum length of a text in one field, in characters: it fits even with four bytes per character. */
const TEXT_LENGTH = 2400;
const WITHIN = new RegExp(`[^]{1,${TEXT_LENGTH}}(?=\\s|$)|[^]{1,${TEXT_LENGTH}}`, "gu");

/** Returns the paragraphs of a text, split if they are long: a field has no line breaks, and at most 9,999 bytes. */
export function splitParagraphs(text: string | undefined): string[] {
  const lines = (text ?? "").split("\n").map((line) => line.trim());
  const parts = lines.join("\n").split(PARAGRAPHS);
  return parts.flatMap((paragraph) => paragraph.match(WITHIN) ?? []);
}
