import * as z from "zod";
import { seeOther } from "../../http/reply.ts";
import { operation } from "../../http/operation.ts";

/** `GET /account/verify/{code}`: the link in its older form. */
export const verifyCode = operation({
  id: "verifyAccountCode",
  summary: "Older form of the link that confirms an address",
  tag: "account",
  path: { code: z.string() },
  responses: { 303: { description: "To /account/verify" } },
  handle: ({ path: { code } }) => seeOther(`/account/verify?t=${encodeURIComponent(code)}`),
});
