// Requests as lines of text: `POST /account/login username=patron`.
import { FORM } from "./bodies.ts";
import type { SentRequest } from "./side.ts";
import type { Client } from "./values.ts";

export interface World {
  /** Headers by client. */
  headers: Record<Client, Record<string, string>>;
  /** Values of `$name` in the examples. */
  names: Map<string, string>;
}

/** Network address of all clients. */
const ADDRESS = "198.18.0.1";

/** Returns the headers of a client. Budgets count by its address. */
export function headersOf(world: World, client: Client, listener: string): Record<string, string> {
  const headers = world.headers[client];
  if (listener !== "record") return { ...headers, "CF-Connecting-IP": ADDRESS };
  const cookie = headers["Cookie"]?.replace(/^session=/, "infobase_auth_token=");
  return { ...headers, "X-REMOTE-IP": ADDRESS, ...(cookie !== undefined && { Cookie: cookie }) };
}

/** Converts a line: the body is JSON, XML or a form. */
export function lineRequest(line: string, client: Client, world: World): SentRequest {
  const [, method = "", target = "", text] = /^(\w+) (\S+)(?: (.*))?$/s.exec(line) ?? [];
  const type = /^[{[]/.test(text ?? "")
    ? "application/json"
    : text?.startsWith("<") === true
      ? "application/xml"
      : FORM;
  return {
    listener: "main",
    method,
    target: fill(target, world).replaceAll(/[^!-~]|["<>\\^`{|}]/gu, encodeURIComponent),
    headers: {
      ...headersOf(world, client, "main"),
      Accept: "application/json",
      ...(text !== undefined && { "Content-Type": type }),
    },
    ...(text !== undefined && { body: Buffer.from(fill(text, world)) }),
  };
}

/** Replaces `$name`; `$code` stays until the mail is there. */
export function fill(text: string, { names }: World) {
  return text.replace(/\$([a-zA-Z]+)(\.number)?/g, (whole, name: string, number?: string) => {
    const value = names.get(name);
    return value === undefined ? whole : number === undefined ? value : (/\d+/.exec(value)?.[0] ?? value);
  });
}
