import * as z from "zod";

/** Largest form or JSON body of the routes of administrators, in bytes. */
export const ADMIN_BODY_BYTES = 512 * 1024;

/** An account in a list. */
export const accountSchema = z.object({
  username: z.string(),
  key: z.string(),
  displayname: z.string(),
  email: z.string(),
  status: z.enum(["pending", "active", "blocked"]),
  bot: z.boolean(),
  tags: z.array(z.string()),
  created: z.string(),
  last_login: z.string().nullable(),
});

/** A change as administrators see it. */
export const changeSchema = z.object({
  id: z.string(),
  kind: z.string(),
  timestamp: z.string(),
  comment: z.string().nullable(),
  changes: z.array(z.object({ key: z.string(), revision: z.int() })).nullable(),
  author: z.object({ key: z.string() }).nullable(),
  ip: z.string().nullable().describe("Address that it came from"),
  data: z.record(z.string(), z.unknown()),
  url: z.string(),
});

/** What became of a revert. */
export const revertedSchema = z.object({
  ok: z.literal("true"),
  reverted: z.int().describe("Records that are as they were before"),
  deleted: z.int().describe("Records that these changes had made"),
  kept: z.array(z.string()).describe("Records that somebody else has edited since"),
  failed: z.array(z.object({ key: z.string(), message: z.string() })),
  finished: z.boolean().describe("False when the same request has more to do"),
});

/** Whether the service is read-only. */
export const readOnlySchema = z.object({
  read_only: z.boolean(),
  changed: z.string().nullable(),
  by: z.string().nullable(),
});

/** Nothing but that it was done. */
export const doneSchema = z.object({ ok: z.literal("true") });
