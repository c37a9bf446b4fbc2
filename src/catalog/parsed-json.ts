import type { Json } from "./record.ts";

/** The value of a JSON text; undefined when it is none. */
export function parsedJson(text: string): Json | undefined {
  try {
    // Any JSON text parses to JSON.
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
