import { json } from "itty-router-extras/response/json";
import { status as emptyResponse } from "itty-router-extras/response/status";
import { CarrelError } from "../errors.ts";
import { systemSources } from "../context.ts";
import { inLogScope, logLine, loggable } from "../log.ts";

/** An answer of one of the service listeners: any JSON value. */
export function jsonResponse(
  value: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Response {
  // As text, because the helper writes only objects as JSON.
  return json(JSON.stringify(value), { status, headers: { "Content-Type": "application/json", ...headers } });
}

/** Runs a listener; what it throws becomes an answer as on the main site. */
export function answering(request: Request, run: () => Promise<Response>): Promise<Response> {
  const requestId = systemSources.newRequestId();
  // Its callers are other services, whose data points count.
  const scope = { fields: { requestId }, failed: () => {} };
  return inLogScope(scope, () => answered(request, requestId, run));
}

async function answered(
  request: Request,
  requestId: string,
  run: () => Promise<Response>,
): Promise<Response> {
  try {
    const response = await run();
    return request.method === "HEAD" ? new Response(null, response) : response;
  } catch (error) {
    if (error instanceof CarrelError) return errorResponse(error);
    const path = new URL(request.url).pathname;
    logLine("error", "failure", { path, error: String(loggable(error)) });
    return jsonResponse({ error: "internal_error" }, { status: 500, headers: { "X-Request-Id": requestId } });
  }
}

function errorResponse({ status, body, headers }: CarrelError): Response {
  return body === null ? emptyResponse(status) : jsonResponse(body, { status, headers });
}
