import type { RequestContext } from "../../context.ts";
import { CarrelError } from "../../errors.ts";
import { recordPath } from "./encoding.ts";
import { withoutSlug } from "./slug-path.ts";

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/** The key that a write is about: JSON by the suffix, or by the type of the body (records.md 2.1); else 415. */
export function writtenKey({ request, url, settings }: RequestContext): string {
  const { key, encoding } = recordPath(url.pathname, null);
  const isJson = encoding === "json" || (encoding === undefined && JSON_TYPE.test(contentType(request)));
  // Q100: a suffix of another form is not a part of the key.
  if (!isJson) throw notJson();
  return withoutSlug(key, settings.RECORD_PREFIX);
}

function contentType(request: Request): string {
  return (request.headers.get("Content-Type") ?? "").trim();
}

function notJson(): CarrelError {
  const message = "Records are written as JSON: the path ends in .json, or Content-Type is application/json";
  return new CarrelError(415, "unsupported_media_type", { message, body: { error: "bad_data", message } });
}
