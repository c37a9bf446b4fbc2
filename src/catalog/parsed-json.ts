import type { Json } from "./record.ts";

/** Parses a JSON text. Returns undefined if it is not valid. */
export function parsedJson(text: string): Json | undefined {
  try {
    // JSON text always parses to a JSON value.
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
