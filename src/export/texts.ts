import { type Json, stringsOf } from "../catalog/record.ts";

/** Trims a text. Returns undefined if nothing is left. */
export function trimText(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === "" ? undefined : trimmed;
}

/** Returns the non-blank texts of a member. */
export function textsOf(value: Json | undefined): string[] {
  return stringsOf(value).flatMap((text) => trimText(text) ?? []);
}
