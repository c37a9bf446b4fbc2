import type { Failure } from "../http/failure.ts";
import type { Markup } from "./markup.ts";
import { type Words, reason, t } from "./words.ts";

const TITLES: ReadonlyMap<number, Words> = new Map([
  [400, "error.400"],
  [401, "error.401"],
  [403, "error.403"],
  [404, "error.404"],
  [405, "error.405"],
  [409, "error.409"],
  [413, "error.413"],
  [414, "error.414"],
  [415, "error.415"],
  [422, "error.422"],
  [429, "error.429"],
  [503, "error.503"],
]);

/** Returns the heading of an error page. */
export function statusText(status: number): Markup {
  return t(TITLES.get(status) ?? "error.500");
}

/** Renders why a form was refused: the first reason at a field, or the text of the failure. */
export function refusalText(refusal: Failure): Markup {
  const [first] = refusal.reasons;
  return first === undefined ? failureText(refusal) : reason(first.text);
}

/** Renders the reason of a failure; the meaning of its status if it has none. */
export function failureText({ text, status }: Pick<Failure, "text" | "status">): Markup {
  return text === undefined ? statusText(status) : reason(text);
}
