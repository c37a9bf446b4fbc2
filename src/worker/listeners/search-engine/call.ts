import type { SearchEngine } from "../../../search/engine.ts";
import type { Stores } from "../../http/bindings.ts";
import type { Settings } from "../../http/settings.ts";

/** What a call of the search engine works with. */
export interface EngineCall {
  readonly request: Request;
  /** Parameters of the address and of a form in the body. */
  readonly parameters: URLSearchParams;
  /** Body that is no form, as text. */
  readonly body: string;
  /** The engine that answers. */
  readonly engine: SearchEngine;
  readonly stores: Stores;
  readonly settings: Settings;
  /** Milliseconds since the epoch. */
  readonly started: number;
  now(): number;
}

/** Parameters as answers echo them: one text, or a list of those that are repeated. */
export function echoed(parameters: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(parameters.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}

/** Head of an answer. */
export function responseHeader({ started, now }: EngineCall, more: Record<string, unknown> = {}) {
  return { status: 0, QTime: Math.max(0, now() - started), ...more };
}
