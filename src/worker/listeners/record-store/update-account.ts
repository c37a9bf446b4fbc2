import * as z from "zod";
import { ACCOUNT_TAGS_MAX, setAccount } from "../../../db/accounts/write-accounts.ts";
import { type FoundAccount, findAccount } from "../../../db/accounts/read-accounts.ts";
import { ACCOUNT_TAG_LENGTH, doToAccount, setPassword } from "../../admin/account-actions.ts";
import { CarrelError, badData } from "../../http/errors.ts";
import { checkProfile, checkedPassword, noAccount } from "./accounts.ts";
import type { StoreCall } from "./call.ts";

const flag = z
  .string()
  .regex(/^(?:true|false)$/i)
  .transform((text) => text.toLowerCase() === "true");
const jsonOf = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        context.addIssue({ code: "custom", message: "Bad JSON" });
        return z.NEVER;
      }
    })
    .pipe(schema);

/** Members of an account that services set; the others are the service's own (Q178). */
const changes = z.strictObject({
  email: z.string().optional(),
  password: z.string().optional(),
  status: z.enum(["active", "blocked"]).optional(),
  bot: flag.optional(),
  tags: jsonOf(z.array(z.string().min(1).max(ACCOUNT_TAG_LENGTH)).max(ACCOUNT_TAGS_MAX)).optional(),
  data: jsonOf(z.record(z.string(), z.string())).optional(),
});
type Changes = z.infer<typeof changes>;

/** `POST /<site>/account/update`: changes members of an account on behalf of another service. */
export async function updateAccount(call: StoreCall) {
  if (!(await update(call))) throw noAccount("Account update failed.");
  return { ok: "true" };
}

/** `POST /<site>/account/update_user_details`: older form of `account/update`. */
export async function updateDetails(call: StoreCall) {
  if (await update(call)) return "ok";
  const username = call.argument("username");
  throw new CarrelError(404, "user_notfound", { body: { error: "user_notfound", username } });
}

async function update(call: StoreCall): Promise<boolean> {
  const account = await findAccount(call.patrons, { username: call.argument("username") });
  if (account === undefined) return false;
  const { username: _, ...given } = call.arguments();
  const parsed = changes.safeParse(given);
  if (!parsed.success) throw badData(`Bad account: ${z.prettifyError(parsed.error)}`);
  await apply(call, account, parsed.data);
  return true;
}

/** Applies the changes; those that can be refused come first. */
async function apply({ context, patrons }: StoreCall, account: FoundAccount, wanted: Changes): Promise<void> {
  const { email, password, status, bot, tags, data } = wanted;
  const { username } = account;
  if (data !== undefined) checkProfile(data);
  if (password !== undefined) checkedPassword(password);
  if (email !== undefined) await doToAccount(context, account, { action: "update_email", email });
  if (password !== undefined) await setPassword(context, username, password);
  if (bot !== undefined) await doToAccount(context, account, { action: "set_bot_flag", bot });
  if (tags !== undefined) await setAccount(patrons, username, { tags: [...new Set(tags)] });
  if (data !== undefined) await setAccount(patrons, username, { data });
  if (status === undefined || status === account.status) return;
  await doToAccount(context, account, { action: actionOf(account, status) });
}

function actionOf({ status: before }: FoundAccount, status: "active" | "blocked") {
  if (status === "blocked") return "block_account";
  return before === "blocked" ? "unblock_account" : "activate_account";
}
