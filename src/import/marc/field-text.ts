import { MarcError } from "./record.ts";
import { normalForm } from "../../catalog/normal-form.ts";

/** How the text of a record is written. */
export interface FieldText {
  /** Whether text whose bytes are these characters reads as it stands. */
  isPlain(characters: string): boolean;
  /** The text of other bytes, in NFC. Throws MarcError. */
  decode(bytes: Uint8Array): string;
}

// oxlint-disable-next-line no-control-regex -- all of ASCII
const BEYOND_ASCII = /[^\0-\u007F]/;
const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const LENIENT = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

export const UTF8_TEXT: FieldText = {
  isPlain: (characters) => !BEYOND_ASCII.test(characters),
  decode(bytes) {
    try {
      return normalForm(STRICT.decode(bytes), "NFC");
    } catch {
      throw new MarcError("bad-marc", "the text is not UTF-8");
    }
  },
};

/** UTF-8 with a sign in place of what cannot be read, not normalized: positions stay what they are. */
export function lenientText(characters: string, bytes: () => Uint8Array): string {
  return BEYOND_ASCII.test(characters) ? LENIENT.decode(bytes()) : characters;
}
