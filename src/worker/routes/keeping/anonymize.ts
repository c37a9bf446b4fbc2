import * as z from "zod";
import { privateJson } from "../../http/reply.ts";
import { accountOfKeys, requireSigned } from "../../keeping/service-call.ts";
import { previewRemoval, startRemoval } from "../../keeping/start-removal.ts";
import { operation } from "../../http/operation.ts";
import { boolean } from "../../http/parameters.ts";

/** Largest body of a call, in bytes. */
export const ANONYMIZE_BODY_BYTES = 16 * 1024;

export const anonymizedSchema = z.object({
  new_username: z.string(),
  booknotes_count: z.int(),
  ratings_count: z.int(),
  observations_count: z.int(),
  bookshelves_count: z.int(),
  merge_request_count: z.int(),
  bestbooks_count: z.int(),
});

/** `POST /account/anonymize.json`: another service has an account removed (patrons.md 3.10). */
export const anonymize = operation({
  id: "anonymize",
  summary: "Remove an account",
  tag: "account",
  form: {
    test: boolean().default(false).describe("Count only, and change nothing"),
    digest: z.string().default("").describe("Hex HMAC-SHA-256 of `msg` with the shared secret"),
    msg: z
      .string()
      .default("")
      .describe("Ends with a colon and the time until which it holds, in Unix seconds"),
  },
  bodyBytes: ANONYMIZE_BODY_BYTES,
  responses: {
    200: { description: "What becomes of it: counts of rows", schema: anonymizedSchema },
    400: { description: "No time in `msg`, or no keys" },
    401: { description: "Not signed, or too late" },
    404: { description: "Unknown keys" },
    503: { description: "No secret is configured" },
  },
  async handle({ form: { test, ...message } }, context) {
    requireSigned(context, message);
    const account = await accountOfKeys(context);
    return privateJson(await (test ? previewRemoval(context, account) : startRemoval(context, account)));
  },
});
