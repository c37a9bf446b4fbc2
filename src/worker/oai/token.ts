import { Buffer } from "node:buffer";
import * as z from "zod";
import { signerOf } from "../http/cookie.ts";
import { unavailable } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { secretsOf } from "../http/session.ts";
import type { Verb } from "./arguments.ts";
import { OaiError } from "./errors.ts";

/** Where a list stands: all that the next part is made of, so that nothing is kept here. */
const tokenSchema = z.object({
  verb: z.string(),
  /** Arguments of the list, by name. */
  given: z.array(z.tuple([z.string(), z.string()])),
  place: z.array(z.number()),
  /** Records that came before. */
  cursor: z.int(),
});
export type Token = z.infer<typeof tokenSchema>;

/** In front of what is signed, so that nothing else that is signed with the same secret is a token. */
const PURPOSE = "oai resumption ";

/** A token as clients get it, signed. */
export async function sealResumption(token: Token, context: RequestContext): Promise<string> {
  const [secret] = secretsOf(context.settings);
  if (secret === undefined) throw unavailable("No SESSION_SECRET is configured, so no list can be resumed.");
  const text = Buffer.from(JSON.stringify(token)).toString("base64url");
  return `${text}.${await (await signerOf(secret)).sign(PURPOSE + text)}`;
}

/** A token that was given out for the verb. */
export async function openResumption(sealed: string, verb: Verb, context: RequestContext): Promise<Token> {
  const [, text = "", mac = ""] = /^([\w-]+)\.([\w-]+)$/.exec(sealed) ?? [];
  for (const secret of secretsOf(context.settings)) {
    if (!(await (await signerOf(secret)).verify(PURPOSE + text, mac))) continue;
    const token = tokenSchema.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
    if (token.verb === verb) return token;
  }
  throw new OaiError("badResumptionToken", "The token is not one that was given out for this list.");
}
