import * as z from "zod";
import { requireSigned } from "../../availability/signed-notice.ts";
import { bodyText } from "../../body.ts";
import { badData } from "../../errors.ts";
import { lendingOf } from "../../lending/lending-of.ts";
import { operation } from "../../operation.ts";
import { NO_STORE, json } from "../../reply.ts";

/** Largest notice, in bytes. */
export const NOTICE_BYTES = 64 * 1024;

const notice = z.object({
  identifier: z.string().min(1),
  digest: z.string().default(""),
  msg: z.string().default(""),
});

/** `POST /borrow/notify`: another lending service tells that the loans of an item have changed (lookup.md 14). */
export const borrowNotify = operation({
  id: "borrowNotify",
  summary: "Takes note that the loans of an item have changed elsewhere",
  tag: "lending",
  body: {
    contentType: "application/json",
    description: "`identifier`; `digest` and `msg` here or as headers (HMAC-SHA-256 with `LENDING_SECRET`)",
  },
  inReadOnly: true,
  responses: {
    202: { description: "Noted", schema: z.object({ status: z.literal("ok") }) },
    400: { description: "No JSON object with an identifier" },
    401: { description: "The signature is missing, wrong or too old" },
    503: { description: "No secret is configured" },
  },
  async handle(_input, context) {
    const { headers } = context.request;
    const { identifier, digest, msg } = noticeOf(await bodyText(context.request, NOTICE_BYTES));
    // Q287: as there are no names in it, only the signature says whom it is from.
    const signature = { digest: headers.get("digest") ?? digest, msg: headers.get("msg") ?? msg };
    await requireSigned(context, identifier, signature);
    await lendingOf(context).status(identifier);
    return json({ status: "ok" }, { status: 202, cacheControl: NO_STORE });
  },
});

function noticeOf(text: string): z.output<typeof notice> {
  try {
    return notice.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) throw badData("no identifier in JSON");
    throw error;
  }
}
