import * as z from "zod";
import { type ProviderAnswer, type ProviderFailure, callProvider } from "./provider-call.ts";

/** Longest reason that is passed on, in characters. */
const REASON_LENGTH = 100;

/** Addresses of the provider, and the service's own keys there. */
export interface XauthOptions {
  readonly url: string;
  readonly keyUrl: string;
  readonly access: string;
  readonly secret: string;
}

const keys = z.object({ access: z.string(), secret: z.string() });

/** Members of `values` that are read. Members of an unexpected type count as absent. */
const values = z
  .object({
    email: z.string().optional().catch(undefined),
    itemname: z.string().optional().catch(undefined),
    screenname: z.unknown().optional(),
    verified: z.boolean().optional().catch(undefined),
    locked: z.boolean().optional().catch(undefined),
    has_disability_access: z.boolean().optional().catch(undefined),
    reason: z.string().optional().catch(undefined),
    access: z.string().optional().catch(undefined),
    secret: z.string().optional().catch(undefined),
    s3: keys.optional().catch(undefined),
  })
  .loose();

const answer = z.object({
  success: z.boolean().optional().catch(undefined),
  values: values.optional().catch(undefined),
  error: z.string().optional().catch(undefined),
  code: z.number().optional().catch(undefined),
});

const checkedKeys = z.object({ authorized: z.literal(true), username: z.string() });

export type XauthValues = z.infer<typeof values>;

/** Response: with `values` on success, otherwise with the provider's reason. */
export type XauthAnswer =
  | { readonly ok: true; readonly values: XauthValues }
  | {
      readonly ok: false;
      /** Reason; "" if the provider gives none. */
      readonly reason: string;
      readonly values: XauthValues;
      /** Code of the provider, or the HTTP status; 0 if there is no readable response. */
      readonly status: number;
    };

export async function callXauth(
  { url, access, secret }: XauthOptions,
  op: string,
  {
    fields,
    headers = {},
  }: { readonly fields: Readonly<Record<string, unknown>>; readonly headers?: Record<string, string> },
): Promise<XauthAnswer> {
  const target = new URL(url);
  target.searchParams.set("op", op);
  const got = await callProvider(target, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ ...fields, access, secret }),
  });
  return typeof got === "string" ? { ok: false, reason: got, values: {}, status: 0 } : judged(got);
}

/** Returns the email address of the owner of a key pair, or the reason of the failure. */
export async function checkXauthKeys(
  { keyUrl }: XauthOptions,
  access: string,
  secret: string,
): Promise<{ readonly email: string } | "invalid_s3keys" | ProviderFailure> {
  // Other characters are not valid in a header.
  if (!/^[\x21-\x7e]+$/.test(access + secret)) return "invalid_s3keys";
  const headers = { Authorization: `LOW ${access}:${secret}` };
  const got = await callProvider(new URL(keyUrl), { headers });
  if (typeof got === "string") return got;
  if (got.status >= 500) return "undefined_error";
  const parsed = checkedKeys.safeParse(got.status === 200 ? got.json : undefined);
  return parsed.success ? { email: parsed.data.username } : "invalid_s3keys";
}

function judged({ status, json }: ProviderAnswer): XauthAnswer {
  const parsed = answer.safeParse(json);
  if (!parsed.success)
    return { ok: false, reason: statusReason(status) ?? "undefined_error", values: {}, status: 0 };
  const { success, values: found = {}, error, code } = parsed.data;
  if (status < 400 && success === true) return { ok: true, values: found };
  const reason = statusReason(status) ?? found.reason ?? error ?? "";
  return { ok: false, reason: reason.slice(0, REASON_LENGTH), values: found, status: code ?? status };
}

function statusReason(status: number): string | undefined {
  if (status === 403) return "security_error";
  if (status === 504) return "request_timeout";
  return status >= 500 ? "undefined_error" : undefined;
}
