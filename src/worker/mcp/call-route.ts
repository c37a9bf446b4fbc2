import { type CatalogRecord, type Json, isObject, objectsOf } from "../../catalog/record.ts";
import { internalError } from "../http/error-answers.ts";
import { type RequestContext, baseUrl } from "../http/operation.ts";
import { JSON_TYPE } from "../http/reply.ts";
import { BOOKMARK_HEADER } from "../http/site.ts";

/** Headers of the client that its calls of routes carry. Cookies are not among them (Q843). */
const FORWARDED = ["Authorization", "CF-Connecting-IP", "User-Agent", BOOKMARK_HEADER];

type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

interface RouteRequest {
  readonly method?: "POST" | "PUT";
  readonly query?: Query;
  readonly form?: Query;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Refusal of a tool: the reason and the next step, both for the model. */
export class ToolFailure extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Absent: the usual step for the status. */
    readonly next = nextStepOf(status),
    /** Scope that the route asks for, if the client's token lacks it. */
    readonly scope?: string,
  ) {
    super(message);
  }
}

function nextStepOf(status: number, wait?: string | null): string {
  switch (status) {
    case 401:
      return "Ask the person to sign in.";
    case 403:
      return "The account or its token may not do this. Ask the person for the permission, or do something else.";
    case 404:
      return "Find the right key with a tool that searches or lists.";
    case 409:
      return "Read the record again, repeat the change for its latest revision, and call again.";
    case 413:
      return "Ask for less: a smaller limit, or fewer parts.";
    case 429:
    case 503:
      return `Wait ${wait ?? "some"} seconds, then call again.`;
    default:
      return status < 500
        ? "Correct the argument that the message names, and call again."
        : "Try again later; report it to the operator if it fails again.";
  }
}

/** Calls routes of the JSON interface as the client, so that access, limits and failures are those of the routes. */
export class RouteCaller {
  /** Refusal that the client's program answers by signing in, or by asking for a scope. */
  challenge: { readonly status: 401 | 403; readonly scope: string | undefined } | undefined;

  constructor(private readonly context: RequestContext) {}

  get baseUrl(): string {
    return baseUrl(this.context);
  }

  get prefix(): string {
    return this.context.settings.RECORD_PREFIX;
  }

  /** Returns the username of the client's token. Throws 401 without one; a cookie does not count. */
  async username(): Promise<string> {
    const isBearer = /^Bearer /i.test(this.context.request.headers.get("Authorization") ?? "");
    const session = isBearer ? await this.context.session() : undefined;
    if (session === undefined) throw new ToolFailure(401, "Authentication required");
    return session.username;
  }

  /** Returns what the model learns of an error, and notes whether the client has to ask for a sign-in or a scope. */
  refusalOf(error: unknown, scope?: string): ToolFailure {
    const { url, requestId } = this.context;
    const refusal =
      error instanceof ToolFailure
        ? error
        : new ToolFailure(500, internalError(error, url.pathname, requestId).message);
    const { status, scope: missing } = refusal;
    if (status === 401) this.challenge = { status, scope };
    else if (status === 403 && missing !== undefined) this.challenge = { status, scope: missing };
    return refusal;
  }

  /** Calls a route, and the one that it redirects to. Throws `ToolFailure` unless it succeeds. */
  async call(path: string, options: RouteRequest = {}): Promise<Response> {
    const { request, url, answer } = this.context;
    const address = new URL(path, url.origin);
    for (const [name, value] of fieldsOf(options.query)) address.searchParams.append(name, value);
    const headers = new Headers({ Accept: JSON_TYPE, ...options.headers });
    for (const name of FORWARDED) {
      const value = request.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    const body = bodyOf(options, headers);
    const sent = { headers, ...(body !== undefined && { method: options.method ?? "POST", body }) };
    let response = await answer(new Request(address, sent));
    const location = response.headers.get("Location");
    if (location !== null && body === undefined) {
      const target = new URL(location, address);
      if (target.origin === address.origin) response = await answer(new Request(target, { headers }));
    }
    if (!response.ok) throw await failureOf(response);
    return response;
  }

  /** Calls a route that answers with an object. */
  async object(path: string, options?: RouteRequest): Promise<CatalogRecord> {
    const answer = await (await this.call(path, options)).json<Json>();
    return isObject(answer) ? answer : {};
  }
}

function bodyOf({ form, json }: RouteRequest, headers: Headers): string | URLSearchParams | undefined {
  if (form !== undefined) return new URLSearchParams(fieldsOf(form));
  if (json === undefined) return undefined;
  headers.set("Content-Type", JSON_TYPE);
  return JSON.stringify(json);
}

function fieldsOf(query: Query = {}): [string, string][] {
  return Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((item): [string, string] => [name, String(item)]),
  );
}

async function failureOf(response: Response): Promise<ToolFailure> {
  const { status, headers } = response;
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // Some refusals have no body.
  }
  const isFailed = status >= 400;
  const message = (isFailed && messageOf(body)) || `The catalog answered with ${status}`;
  const scope = /scope="([\w .:-]+)"/.exec(headers.get("WWW-Authenticate") ?? "")?.[1];
  return new ToolFailure(
    status,
    message,
    nextStepOf(isFailed ? status : 404, headers.get("Retry-After")),
    scope,
  );
}

/** Returns the text of a failure's JSON, with the places of a 422. */
function messageOf(body: unknown): string | undefined {
  if (!isObject(body)) return undefined;
  const { detail, message, error, key } = body;
  const reasons = objectsOf(detail).map(({ loc, msg }) => {
    const place = Array.isArray(loc) ? loc.slice(1).join(".") : "";
    return place === "" ? String(msg) : `${place}: ${String(msg)}`;
  });
  if (reasons.length > 0) return reasons.join("; ");
  const text = [detail, message, error].find((value) => typeof value === "string");
  return text === "notfound" && typeof key === "string" ? `There is no record ${key}` : text;
}
