import { expect } from "vitest";
import type { LoggedIn } from "./logged-in.ts";
import type { TestService } from "./service.ts";

export type ItemFields = Record<string, string | boolean>;

export const answerOf = async (response: Response) => [response.status, await response.json()];

/** Answer of a refused import. */
export const failure = (code: string, error: unknown, more: object = {}) => [
  400,
  { success: false, error_code: code, error, ...more },
];

/** Requests to import items, by an account with the right to do so. */
export function itemRequests(service: TestService, bot: () => LoggedIn) {
  const ask = (fields: ItemFields): Promise<Response> =>
    bot().fetch("/api/import/ia", {
      method: "POST",
      body: JSON.stringify(fields),
      headers: { "Content-Type": "application/json" },
    });
  return {
    ask,
    /** Imports an item. Returns the answer. */
    async imported(fields: ItemFields) {
      const [status, answer] = await answerOf(await ask(fields));
      expect([status, answer]).toEqual([200, expect.anything()]);
      return Object(answer);
    },
    refused: async (fields: ItemFields) => answerOf(await ask(fields)),
    /** Reads a record. */
    record: async (key: string) => Object(await service.json(`${key}.json`)),
  };
}
