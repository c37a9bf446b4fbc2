import * as z from "zod";
import { SHELVES } from "../../../catalog/patrons/shelves.ts";
import { cookieValue } from "../cookie.ts";
import type { RequestContext } from "../operation.ts";
import type { Flash } from "./reader.ts";
import { cookieText, deletedCookie } from "../session.ts";

export const FLASH_COOKIE = "flash";
const FLASH_MESSAGES_MAX = 5;

const shelf = z.literal(SHELVES.map(({ id }) => id)).nullable();
const move = z.object({
  key: z.string().regex(/^\/works\/[A-Z]{2}\d{1,15}W$/),
  title: z.string(),
  from: shelf,
  to: shelf,
  isUndo: z.boolean(),
});

const messages = z.array(
  z.object({
    type: z.enum(["success", "error"]),
    message: z.string().optional(),
    words: z.string().optional(),
    move: move.optional(),
  }),
);

export function setFlash(context: RequestContext, flash: Flash): void {
  const value = encodeURIComponent(JSON.stringify([flash]));
  context.cookies.push(cookieText(FLASH_COOKIE, value, { context }));
}

/** Returns the messages for this page and deletes their cookie. Invalid messages are skipped. */
export function takeFlash(context: RequestContext): readonly Flash[] {
  const cookie = cookieValue(context.request.headers.get("Cookie"), FLASH_COOKIE);
  if (cookie === undefined || cookie === "") return [];
  context.cookies.push(deletedCookie(FLASH_COOKIE, context));
  const parsed = messages.safeParse(jsonOf(cookie));
  return parsed.success ? parsed.data.slice(0, FLASH_MESSAGES_MAX) : [];
}

function jsonOf(cookie: string): unknown {
  try {
    return JSON.parse(decodeURIComponent(cookie));
  } catch (error) {
    // Readers control their cookies: any text may arrive.
    if (error instanceof SyntaxError || error instanceof URIError) return undefined;
    throw error;
  }
}
