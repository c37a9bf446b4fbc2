import { expect } from "vitest";
import type { TestService } from "./service.ts";

/** Asks `/query.json` in both of its forms. */
export interface Queries {
  /** Rows of a JSON query. */
  rows(query: unknown): Promise<Record<string, unknown>[]>;
  /** Keys of the rows of a JSON query. */
  keys(query: unknown): Promise<string[]>;
  /** Keys of the rows of a query in plain parameters. */
  plainKeys(search: string): Promise<string[]>;
  /** Error message of a JSON query that is refused. */
  problem(query: unknown): Promise<string>;
}

export function queriesOf(service: TestService): Queries {
  const ask = async (search: string): Promise<Record<string, unknown>[]> => {
    const response = await service.fetch(`/query.json?${search}`);
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return JSON.parse(text);
  };
  const rows = (query: unknown) => ask(`query=${encodeURIComponent(JSON.stringify(query))}`);
  return {
    rows,
    keys: async (query) => keysOf(await rows(query)),
    plainKeys: async (search) => keysOf(await ask(search)),
    async problem(query) {
      const text = typeof query === "string" ? query : JSON.stringify(query);
      const response = await service.fetch(`/query.json?query=${encodeURIComponent(text)}`);
      const body = await response.text();
      expect(response.status, body).toBe(400);
      const answer: { error: string; message: string } = JSON.parse(body);
      expect(answer.error).toBe("bad_data");
      return answer.message;
    },
  };
}

function keysOf(rows: Record<string, unknown>[]): string[] {
  return rows.map(({ key }) => String(key));
}
