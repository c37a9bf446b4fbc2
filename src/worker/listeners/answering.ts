import { json } from "itty-router-extras/response/json";
import { status as emptyResponse } from "itty-router-extras/response/status";
import { systemSources } from "../http/bindings.ts";
import { knownError } from "../http/error-answers.ts";
import { CarrelError, badAddress } from "../http/errors.ts";
import { inLogScope, logLine, loggable } from "../http/log.ts";

/** An answer of one of the service listeners: any JSON value. */
export function jsonResponse(
  value: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Response {
  // As text, because the helper writes only objects as JSON.
  return json(JSON.stringify(value), { status, headers: { "Content-Type": "application/json", ...headers } });
}

/** What a listener says of an error, in the form that its clients read. */
export type ErrorBody = (error: CarrelError) => Readonly<Record<string, unknown>> | null;

/** Runs a listener; what it throws becomes an answer with the status that the main site would give (Q502). */
export function answering(
  request: Request,
  errorBody: ErrorBody,
  run: () => Promise<Response>,
): Promise<Response> {
  const requestId = systemSources.newRequestId();
  // Its callers are other services, whose data points count.
  const scope = { fields: { requestId }, failed: () => {} };
  return inLogScope(scope, async () => {
    const response = await run().catch((thrown: unknown) => {
      const error = knownError(loggable(thrown)) ?? failure(thrown, request, requestId);
      const body = errorBody(error);
      const { status, headers } = error;
      return body === null ? emptyResponse(status) : jsonResponse(body, { status, headers });
    });
    return request.method === "HEAD" ? new Response(null, response) : response;
  });
}

/** The path of a request; throws a 400 for an address that is none (Q501). */
export function pathOf({ url }: Request): string {
  const parsed = URL.parse(url);
  if (parsed === null) throw badAddress();
  return parsed.pathname;
}

function failure(thrown: unknown, { url }: Request, requestId: string): CarrelError {
  const path = URL.parse(url)?.pathname ?? "";
  logLine("error", "failure", { path, error: String(loggable(thrown)) });
  return new CarrelError(500, "internal_error", {
    body: { error: "internal_error" },
    headers: { "X-Request-Id": requestId },
  });
}
