import { logLine, loggable } from "../log.ts";

/** Where answers of other services are kept for a while. */
export interface AnswerCache {
  get(key: string): Promise<string | null>;
  put(key: string, value: string, options: { readonly expirationTtl: number }): Promise<void>;
}

/** What is kept; a store that fails has nothing. */
export async function readKept(cache: AnswerCache, key: string): Promise<string | null> {
  try {
    return await cache.get(key);
  } catch (error) {
    return failed(error);
  }
}

/** Keeps an answer for some seconds. KV refuses a second write of a key within a second, which costs nobody his answer. */
export async function keepAnswer(
  cache: AnswerCache,
  key: string,
  { text, seconds }: { readonly text: string; readonly seconds: number },
): Promise<void> {
  try {
    await cache.put(key, text, { expirationTtl: seconds });
  } catch (error) {
    failed(error);
  }
}

function failed(error: unknown): null {
  logLine("error", "answer-cache", { problem: String(loggable(error)) });
  return null;
}
