import * as z from "zod";
import { newEmailProblem, newUsernameProblem } from "../../accounts/availability.ts";
import { VALIDATIONS, byAddress, spend } from "../../accounts/budgets.ts";
import { privateJson } from "../../http/reply.ts";
import { operation } from "../../http/operation.ts";

const reason = z.string().nullable();

/** `GET /account/validate`: can an address or a username be registered? Only what is given is looked at. */
export const validateAccount = operation({
  id: "validateAccount",
  summary: "Check an address or a username for a registration",
  tag: "account",
  query: { email: z.string().optional(), username: z.string().optional() },
  responses: {
    200: {
      description: "Null, or what is wrong, for each",
      schema: z.object({ email: reason, username: reason }),
    },
    429: { description: "Too many questions" },
  },
  async handle({ query }, context) {
    await spend(context, byAddress(context, "validation", VALIDATIONS));
    const [email, username] = await Promise.all([
      query.email === undefined ? undefined : newEmailProblem(context, query.email),
      query.username === undefined ? undefined : newUsernameProblem(context, query.username),
    ]);
    return privateJson({ email: email?.message ?? null, username: username?.message ?? null });
  },
});
