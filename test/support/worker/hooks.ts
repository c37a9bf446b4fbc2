import { expect } from "vitest";
import type { TestService } from "./service.ts";

/** Response of a hook of the older read API; its status is always 200. */
export interface HookAnswer {
  status: "ok" | "fail";
  result?: unknown;
  message?: string;
}

/** Calls `/api/<name>` with parameters; those that are no text are sent as JSON. */
export async function callHook(
  service: TestService,
  name: string,
  parameters: Record<string, unknown> = {},
): Promise<HookAnswer> {
  const texts = Object.entries(parameters).map(([key, value]): [string, string] => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const response = await service.fetch(`/api/${name}?${new URLSearchParams(texts)}`);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("application/json");
  expect(response.headers.get("Cache-Control")).toMatch(/\bno-store$/);
  return JSON.parse(text);
}
