import { type Answer, type Who, send } from "./writing.ts";

export const JSON_BODY = { "Content-Type": "application/json" };

/** Makes a list of a patron and returns its key. */
export async function newList(who: Who & { readonly key: string }, body: object = {}): Promise<string> {
  const { body: made } = await send(who, ["POST", `${who.key}/lists.json`], body, JSON_BODY);
  return String(Object(made)["key"]);
}

/** Sends a change of seeds. */
export function postSeeds(who: Who, list: string, body: unknown): Promise<Answer> {
  return send(who, ["POST", `${list}/seeds.json`], body, JSON_BODY);
}
