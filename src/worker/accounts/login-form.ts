import * as z from "zod";
import { type ValidationFailure, validationFailed } from "../http/errors.ts";
import { validationFailure } from "../http/input-failures.ts";
import { boolean } from "../http/parameters.ts";
import type { Credentials } from "./authentication.ts";

/** Fields of the login form. Keys can replace address and password, so neither is required here. */
export const LOGIN_FIELDS = {
  username: z.string().optional().describe("Email address. Required unless keys are sent"),
  password: z.string().optional().describe("Required unless there are keys"),
  remember: z.string().optional().describe("Boolean: keep the session for a year, while it is used"),
  redirect: z.string().optional().describe("Path on this site to go to"),
  redir_url: z.string().optional().describe("The same by another name"),
  action: z.string().default("").describe("`follow:<username>`: follow that patron"),
  access: z.string().optional().describe("Key pair: its public half"),
  secret: z.string().optional().describe("Key pair: its secret half"),
  test: z.string().optional(),
};

export type LoginFields = z.output<z.ZodObject<typeof LOGIN_FIELDS>>;

/** Returns the requested target of the redirect after a login; `redir_url` is another name of `redirect`. */
export function loginTarget({ redirect, redir_url }: Pick<LoginFields, "redirect" | "redir_url">): string {
  return redirect ?? redir_url ?? "/";
}

/** Parses the login form; throws 422 with all missing fields, which repeats no value that was sent. */
export function loginOfForm(fields: LoginFields, headers: Headers) {
  const failures: ValidationFailure[] = [];
  const remember = boolean().default(false).safeParse(fields.remember);
  const keys = keysOf(fields, headers);
  const { username, password } = fields;
  if (keys === undefined && username === undefined) failures.push(missing("username"));
  if (keys === undefined && password === undefined) failures.push(missing("password"));
  for (const issue of remember.error?.issues ?? []) {
    failures.push({ ...validationFailure(issue, "body"), loc: ["body", "remember"], input: fields.remember });
  }
  if (failures.length > 0) throw validationFailed(failures);
  const credentials: Credentials = keys ?? { kind: "email", email: username ?? "", password: password ?? "" };
  return { credentials, remember: remember.data ?? false };
}

/** Parses a JSON login: keys, or a username of this service and its password. */
export function loginOfJson(value: unknown): Credentials | undefined {
  const parsed = jsonLogin.safeParse(value);
  if (!parsed.success) return undefined;
  const given = parsed.data;
  if ("access" in given) return { kind: "keys", access: given.access, secret: given.secret };
  const { username, password } = given;
  // Q151: an email address is accepted too.
  return username.includes("@")
    ? { kind: "email", email: username, password }
    : { kind: "username", username, password };
}

const jsonLogin = z.union([
  z.object({ access: z.string(), secret: z.string() }),
  z.object({ username: z.string(), password: z.string() }),
]);

function keysOf(fields: LoginFields, headers: Headers): Credentials | undefined {
  const access = fields.access ?? headers.get("X-S3-Access");
  const secret = fields.secret ?? headers.get("X-S3-Secret");
  return access === null || secret === null ? undefined : { kind: "keys", access, secret };
}

function missing(field: string): ValidationFailure {
  return { type: "missing", loc: ["body", field], msg: "Field required" };
}
