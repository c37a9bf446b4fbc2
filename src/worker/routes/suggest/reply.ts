import type { JsonObject } from "../../../catalog/record.ts";
import { type Reply, json, jsonText } from "../../reply.ts";

interface Answer {
  readonly query?: JsonObject;
  readonly result: JsonObject | JsonObject[];
}

/** The envelope of the suggest interface. With a callback it is a call without a semicolon (lookup.md 10.1). */
export function suggestReply({ query, result }: Answer, callback: string | undefined): Reply {
  const asked = query === undefined ? {} : { query };
  const body = { status: "200 OK", ...asked, code: "/api/status/ok", result };
  // Q76: no semicolon here, unlike elsewhere.
  return callback === undefined
    ? json(body)
    : jsonText(`${callback}(${JSON.stringify(body)})`, { contentType: "application/javascript" });
}
