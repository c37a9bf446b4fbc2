import { KIB } from "../../catalog/units.ts";
import * as z from "zod";
import { type Reply, privateJson } from "../http/reply.ts";

export const doneSchema = z.object({ ok: z.literal("true") });

/** Options of all commands of administrators, which work in read-only mode too. */
export const ADMIN_FORM = {
  tag: "administration",
  bodyBytes: 512 * KIB,
  inReadOnly: true,
  asJson: okJson,
} as const;

/** Answers a program that a command is done, with the members of its result. */
export function okJson(result: object | void): Reply {
  return privateJson({ ok: "true", ...result });
}
