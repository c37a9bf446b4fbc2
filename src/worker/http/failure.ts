import { StatusError } from "itty-router-extras/classes/StatusError";
import { type Text, type TextKey, type TextValues, english } from "../../catalog/texts.ts";

/**
 * Status and body of a failure, by the group of its key, the part before the point. `detail` is `{"detail": text}`,
 * `error` is `{"error": group, "message": text}`, `status` is `{"status": number, "message": text}`.
 */
const GROUPS = {
  bad_data: { status: 400, shape: "error" },
  bad_request: { status: 400, shape: "detail" },
  unauthenticated: { status: 401, shape: "detail" },
  forbidden: { status: 403, shape: "detail" },
  permission_denied: { status: 403, shape: "error" },
  not_found: { status: 404, shape: "detail" },
  method_not_allowed: { status: 405, shape: "detail" },
  not_acceptable: { status: 406, shape: "detail" },
  conflict: { status: 409, shape: "detail" },
  too_large: { status: 413, shape: "error" },
  unprocessable: { status: 422, shape: "detail" },
  too_many_requests: { status: 429, shape: "status" },
  internal_error: { status: 500, shape: "detail" },
  bad_gateway: { status: 502, shape: "detail" },
  unavailable: { status: 503, shape: "detail" },
  timeout: { status: 503, shape: "error" },
} as const;

type Group = keyof typeof GROUPS;

/** Key of a text that refuses a request: `conflict.merge_closed`. */
export type FailureKey = Extract<TextKey, `${Group}.${string}`>;

interface FailureOptions {
  /** Status of a route whose contract differs from the group's. */
  readonly status?: number;
  /** Code in the log, and member `error` of a body that has one. The group by default. */
  readonly code?: string;
  /** Words that a contract fixes for the body; pages show the text of the key. */
  readonly message?: string;
  /** Members of the body besides those of the group. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Body of a route whose contract differs from the group's; null for an empty one. */
  readonly body?: Readonly<Record<string, unknown>> | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Field of the form that is refused: pages show the text there. */
  readonly field?: string;
  /** Seconds for `Retry-After`. */
  readonly retryAfter?: number;
}

/** Reason at a member of the input, for the list on an error page. */
export interface Reason {
  readonly field: string;
  readonly text: Text;
}

/**
 * Refusal of a request. Thrown anywhere, rendered in `error-answers.ts` only. `body` is the client's view of it, null an
 * empty body; pages show `text`, or `reasons` if there are several.
 */
export class Failure extends StatusError {
  readonly code: string;
  readonly text: Text | undefined;
  readonly reasons: readonly Reason[];
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    { message, text, reasons, body, headers }: Partial<Omit<Failure, "status" | "code">> = {},
  ) {
    super(status, message ?? (text === undefined ? code : english(text)));
    this.code = code;
    this.text = text;
    this.reasons = reasons ?? [];
    this.body = body === undefined ? { detail: this.message } : body;
    this.headers = headers ?? {};
  }
}

/**
 * Makes the failure of a request: the only way to refuse. The text comes from `locales/`, and its group decides about
 * status and body, so the call names both.
 *
 *     throw failure("not_found.cover");                                       // 404 {"detail": …}
 *     throw failure("bad_data.too_many_keys", { most: KEYS_MAX });            // 400 {"error": "bad_data", "message": …}
 *     throw failure("unavailable.mail", {}, { retryAfter: 60 });              // 503 with Retry-After
 */
export function failure(key: FailureKey, values?: TextValues, options: FailureOptions = {}): Failure {
  // The type of the key says that it begins with a group.
  const group = key.split(".", 1)[0] as Group;
  const { status = GROUPS[group].status, code = group, members, headers, field, retryAfter } = options;
  const text = { key, values };
  const { message = english(text) } = options;
  return new Failure(status, code, {
    message,
    text,
    reasons: field === undefined ? [] : [{ field, text }],
    body: options.body === undefined ? bodyOf(message, { status, code, members, group }) : options.body,
    headers: { ...headers, ...(retryAfter !== undefined && { "Retry-After": String(retryAfter) }) },
  });
}

function bodyOf(
  message: string,
  {
    status,
    code,
    members,
    group,
  }: { group: Group; status: number; code: string; members: object | undefined },
) {
  switch (GROUPS[group].shape) {
    case "detail":
      return { detail: message, ...members };
    case "error":
      return { error: code, message, ...members };
    case "status":
      return { status, message, ...members };
  }
}
