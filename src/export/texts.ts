import { type Json, stringsOf } from "../catalog/record.ts";

/** A text without blanks around it; undefined when nothing is left. */
export function filled(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === "" ? undefined : trimmed;
}

/** The texts of a member that say something. */
export function textsOf(value: Json | undefined): string[] {
  return stringsOf(value).flatMap((text) => filled(text) ?? []);
}
