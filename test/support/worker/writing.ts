import type { LoggedIn } from "./logged-in.ts";
import { ORIGIN, type TestService } from "./service.ts";

/** The caller: a patron, or the service itself. */
export type Who = Pick<LoggedIn, "fetch">;
export type Document = Record<string, unknown> & { key: string; revision: number };

/** Status and JSON of an answer. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** The header that announces `42-comment` and the like. */
export const OPT = { Opt: `"${ORIGIN}/dev/docs/api"; ns=42` };
/** Preference of browsers for pages. */
export const HTML = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

/** Sends a body, as JSON unless it is text. */
export async function send(
  who: Who,
  [method, path]: readonly [method: string, path: string],
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await who.fetch(path, { method, body: text, headers });
  return { status: response.status, body: await response.json() };
}

/** Sends a record. */
export function put(
  who: Who,
  path: string,
  body: unknown,
  headers?: Record<string, string>,
): Promise<Answer> {
  return send(who, ["PUT", path], body, headers);
}

/** Sends a form. */
export function post(
  who: Who,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return who.fetch(path, { method: "POST", body: new URLSearchParams(fields), headers });
}

/** Status and target of an answer. */
export async function leads(answer: Promise<Response>): Promise<string> {
  const response = await answer;
  return `${response.status} ${response.headers.get("Location") ?? (await response.text())}`;
}

/** Looks at what writing has done. */
export function looking(service: TestService) {
  const read = async (key: string): Promise<Document> => Object(await service.json(`${key}.json`));
  return {
    read,
    /** The newest change; an empty object when there is none. */
    lastChange: async (): Promise<Record<string, unknown>> => {
      const [change] = (await service.json("/recentchanges.json?limit=1")) as Record<string, unknown>[];
      return change ?? {};
    },
    /** Key of the first work of an edition. */
    workOf: async (edition: string): Promise<string> =>
      ((await read(edition))["works"] as { key: string }[])[0]?.key ?? "",
    typeOf: async (key: string): Promise<unknown> => Object((await read(key))["type"])["key"],
  };
}

/** Fields that a browser sends for an unchanged form. */
export function fieldsOf(page: string): Record<string, string> {
  const attribute = (tag: string, name: string): string =>
    unescaped(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "");
  const isLeftOut = (tag: string): boolean =>
    /type="(?:checkbox|radio|search)"/.test(tag) && !/ checked/.test(tag);
  const tags = [...page.matchAll(/<input [^>]*>/g)].map(([tag]) => tag);
  const inputs = tags
    .filter((tag) => !isLeftOut(tag))
    .map((tag) => [attribute(tag, "name"), attribute(tag, "value")]);
  const areas = [...page.matchAll(/(<textarea [^>]*>)\n([^<]*)</g)].map(([, tag = "", text = ""]) => [
    attribute(tag, "name"),
    unescaped(text).replaceAll("\n", "\r\n"),
  ]);
  return Object.fromEntries([...inputs, ...areas]);
}

function unescaped(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
