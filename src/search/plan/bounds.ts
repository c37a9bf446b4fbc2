import type { Value } from "../query/query.ts";
import type { Bounds } from "./plan.ts";

/** How a text becomes a value of a field's type; undefined when it is none. */
export type Reader<Type> = (text: string) => Type | undefined;

const INTEGER = /^[+-]?\d{1,15}$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

/**
 * What a condition allows values of a type to be; undefined when a text of it is not of the type (search.md 3.5):
 * nothing matches then.
 */
export function boundsOf<Type>(value: Value, read: Reader<Type>): Bounds<Type> | undefined {
  if (value.kind === "word" || value.kind === "phrase") {
    const only = read(value.text);
    return only === undefined ? undefined : { from: only, to: only, includesFrom: true, includesTo: true };
  }
  if (value.kind !== "range") return undefined;
  const from = value.from === null ? undefined : read(value.from);
  const to = value.to === null ? undefined : read(value.to);
  const isTyped = (from !== undefined || value.from === null) && (to !== undefined || value.to === null);
  return isTyped ? { from, to, includesFrom: value.includesFrom, includesTo: value.includesTo } : undefined;
}

/** A whole number. */
export function integerOf(text: string): number | undefined {
  return INTEGER.test(text) ? Number(text) : undefined;
}

/** A number, with a fraction or not. */
export function numberOf(text: string): number | undefined {
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}
