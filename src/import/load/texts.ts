import { type Json, isObject, textOf } from "../../catalog/record.ts";
import { ImportFailure } from "../failure.ts";

const BETWEEN = "\n\n";

/** A text of an import record as it is stored; several texts are one, with blank lines between. Undefined for none. */
export function textObject(value: Json | undefined): Json | undefined {
  const texts = (Array.isArray(value) ? value : [value]).flatMap((one) => textOf(one) ?? []);
  const text = texts.filter((one) => one.trim() !== "").join(BETWEEN);
  return text === "" ? undefined : { type: "/type/text", value: text };
}

/** A number of an import record as it is stored; undefined for none. Throws ImportFailure `type-error`. */
export function wholeNumber(name: string, value: Json | undefined): number | undefined {
  const inner = isObject(value) ? value["value"] : value;
  if (inner === undefined || inner === null || inner === "") return undefined;
  const number = typeof inner === "string" && /^\s*\d{1,9}\s*$/.test(inner) ? Number(inner) : inner;
  if (typeof number === "number" && Number.isSafeInteger(number)) return number;
  throw new ImportFailure("type-error", `${name} is not a whole number`);
}
