import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../../../catalog/record.ts";
import { CarrelError } from "../../errors.ts";

/** Hexadecimal digits of a `_rev` that is made of a document: a whole number that JSON can hold. */
const REV_DIGITS = 13;

/** A document with a `_rev` made of what it says: another state has another one. */
export function withRev(document: JsonObject): JsonObject {
  const hash = createHash("sha256").update(JSON.stringify(document)).digest("hex");
  return { ...document, _rev: String(Number.parseInt(hash.slice(0, REV_DIGITS), 16)) };
}

/** A `_rev` that was sent, as text: "" for what is none. */
export function revOf(rev: Json): string {
  return typeof rev === "string" || typeof rev === "number" ? String(rev) : "";
}

/** 409 of a document that is not as expected any more (records.md 8.5). */
export function documentConflict(key: string): CarrelError {
  const message = "Document update conflict";
  return new CarrelError(409, "conflict", { message, body: { error: "conflict", key, message } });
}
