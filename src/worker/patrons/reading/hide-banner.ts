import { DAY_SECONDS } from "../../../catalog/units.ts";
import * as z from "zod";
import { savePreferences } from "../../accounts/preferences.ts";
import { operation } from "../../http/operation.ts";
import { jsonInteger } from "../../http/parameters.ts";
import { privateJson } from "../../http/reply.ts";
import { cookieText } from "../../http/session.ts";
import { READING_BODY_BYTES } from "./own-data.ts";

const BANNER_DAYS = { default: 30, max: 400 };
/** Cookies with another purpose, which a page may not overwrite (Q218). */
const OTHER_COOKIES: ReadonlySet<string> = new Set([
  "session",
  "pd",
  "sfw",
  "s3",
  "pda",
  "lang",
  "flash",
  "device",
]);
const LOAN_COOKIES = "loan-";

const bannerName = z
  .string()
  .regex(/^[a-z0-9-]{1,40}$/)
  .superRefine((name, context) => {
    if (!OTHER_COOKIES.has(name) && !name.startsWith(LOAN_COOKIES)) return;
    context.addIssue({ code: "custom", message: "validation.banner" });
  });

/** `POST /hide_banner`: hides a banner of pages for a while. */
export const hideBanner = operation({
  id: "hideBanner",
  summary: "Hide a banner",
  tag: "reading",
  json: z.object({
    "cookie-name": bannerName.describe("Cookie that hides the banner"),
    "cookie-duration-days": jsonInteger(z.int().gte(1).lte(BANNER_DAYS.max)).optional(),
  }),
  bodyBytes: READING_BODY_BYTES,
  responses: { 200: { description: "Cookie set", schema: z.object({ success: z.string() }) } },
  async handle({ json }, context) {
    const name = json["cookie-name"];
    const days = json["cookie-duration-days"] ?? BANNER_DAYS.default;
    const seconds = days * DAY_SECONDS;
    context.cookies.push(cookieText(name, "1", { context, seconds, isReadable: true }));
    const session = name.startsWith("yrg") ? await context.session() : undefined;
    if (session !== undefined) await savePreferences(context, session.username, { yrg_banner_pref: name });
    return privateJson({ success: "Preference saved" });
  },
});
