import * as z from "zod";
import { cookieValue } from "../cookie.ts";
import type { RequestContext } from "../operation.ts";
import { type Flash, flashSchema } from "./reader.ts";
import { cookieText, deletedCookie } from "../session.ts";

export const FLASH_COOKIE = "flash";
const FLASH_MESSAGES_MAX = 5;

export function setFlash(context: RequestContext, flash: Flash): void {
  const value = encodeURIComponent(JSON.stringify([flash]));
  context.cookies.push(cookieText(FLASH_COOKIE, value, { context }));
}

export function takeFlash(context: RequestContext): readonly Flash[] {
  const cookie = cookieValue(context.request.headers.get("Cookie"), FLASH_COOKIE);
  if (cookie === undefined || cookie === "") return [];
  context.cookies.push(deletedCookie(FLASH_COOKIE, context));
  const parsed = z.array(flashSchema).safeParse(jsonOf(cookie));
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
