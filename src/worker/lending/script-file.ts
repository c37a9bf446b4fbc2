import { MIB, DAY_SECONDS } from "../../catalog/units.ts";
import * as z from "zod";
import { parseAllowedUrl } from "../../catalog/allowed-url.ts";
import { notFound } from "../http/errors.ts";
import { type Failure, failure } from "../http/failure.ts";
import { readCachedAnswer, writeCache } from "../http/kv-cache.ts";
import { logLine } from "../http/log.ts";
import { operation } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";
import { OutboundFailure, getBytes } from "../platform/outbound.ts";

const SCRIPT_TIMEOUT_MS = 10_000;
const SCRIPT_BYTES = MIB;
const SCRIPT_SECONDS = DAY_SECONDS;

export const scriptFile = operation({
  id: "scriptFile",
  summary: "Get a script of another site",
  tag: "lending",
  path: { archive_host: z.string(), filename: z.string() },
  responses: {
    200: { description: "Script; empty if fetching is not configured", contentType: "text/javascript" },
    404: { description: "Script outside the configured list" },
    502: { description: "Failed upstream request" },
  },
  async handle({ path: { archive_host: host, filename } }, { settings, stores }) {
    // No other file is ever fetched.
    if (!settings.CDN_SCRIPTS.includes(`${host}/${filename}`)) throw notFound();
    // Q267: empty unless the service is configured to fetch scripts.
    if (settings.CDN_FOLDER === "") return sendScript("");
    const url = parseAllowedUrl(`https://${host}${settings.CDN_FOLDER}${filename}`, [host]);
    if (url === undefined) throw badGateway(`${host} is no host`);
    const name = `script:v1:${url.href}`;
    const cached = await readCachedAnswer(stores.cache, name);
    if (cached !== null) return sendScript(cached);
    const limits = { hosts: [url.host], timeoutMs: SCRIPT_TIMEOUT_MS, maxBytes: SCRIPT_BYTES };
    const { status, bytes, contentType } = await getBytes(url, limits).catch((error: unknown) => {
      throw error instanceof OutboundFailure ? badGateway(`${url.host}: ${error.message}`) : error;
    });
    if (status !== 200) throw badGateway(`${url.host} answered ${status}`);
    // An HTML page in its place, such as an error page, would be cached for a day.
    if (!SCRIPT.test(contentType)) throw badGateway(`${url.host} answered ${contentType}`);
    const text = new TextDecoder().decode(bytes);
    await writeCache(stores.cache, name, { entry: { text, seconds: SCRIPT_SECONDS } });
    return sendScript(text);
  },
});

function sendScript(body: string): Reply {
  const cacheControl = `public, max-age=${SCRIPT_SECONDS}`;
  return { status: 200, body, contentType: "text/javascript; charset=utf-8", cacheControl };
}

/** Content types of scripts; empty ones are accepted, too. */
const SCRIPT = /^(?:$|(?:text|application)\/(?:x-)?(?:java|ecma)script\b)/i;

function badGateway(problem: string): Failure {
  logLine("error", "script", { problem });
  return failure("bad_gateway.upstream");
}
