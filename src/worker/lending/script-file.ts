import { MIB, DAY_SECONDS } from "../../catalog/units.ts";
import * as z from "zod";
import { parseAllowedUrl } from "../../catalog/allowed-url.ts";
import { notFound } from "../http/errors.ts";
import { type Failure, failure } from "../http/failure.ts";
import { readCachedAnswer, writeCache } from "../http/kv-cache.ts";
import { logLine } from "../http/log.ts";
import { type RequestContext, operation } from "../http/operation.ts";
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
  async handle({ path: { archive_host: host, filename } }, context) {
    // No other file is ever fetched.
    if (!context.settings.CDN_SCRIPTS.includes(`${host}/${filename}`)) throw notFound();
    // Q267: empty unless the service is configured to fetch scripts.
    return {
      status: 200,
      body: await scriptText(context, host, filename),
      contentType: "text/javascript; charset=utf-8",
      cacheControl: `public, max-age=${SCRIPT_SECONDS}`,
    };
  },
});

/** Returns a script of another site, fetched once a day; empty if fetching is not configured. Throws 502. */
async function scriptText(context: RequestContext, host: string, file: string): Promise<string> {
  const { settings, stores } = context;
  if (settings.CDN_FOLDER === "") return "";
  const url = parseAllowedUrl(`https://${host}${settings.CDN_FOLDER}${file}`, [host]);
  if (url === undefined) throw badGateway(`${host} is no host`);
  const name = `script:v1:${url.href}`;
  const cached = await readCachedAnswer(stores.cache, name);
  if (cached !== null) return cached;
  const text = await fetchScript(url);
  await writeCache(stores.cache, name, { entry: { text, seconds: SCRIPT_SECONDS } });
  return text;
}

async function fetchScript(url: URL): Promise<string> {
  const limits = { hosts: [url.host], timeoutMs: SCRIPT_TIMEOUT_MS, maxBytes: SCRIPT_BYTES };
  try {
    const { status, bytes, contentType } = await getBytes(url, limits);
    if (status !== 200) throw badGateway(`${url.host} answered ${status}`);
    // An HTML page in its place, such as an error page, would be cached for a day.
    if (!SCRIPT.test(contentType)) throw badGateway(`${url.host} answered ${contentType}`);
    return new TextDecoder().decode(bytes);
  } catch (error) {
    if (error instanceof OutboundFailure) throw badGateway(`${url.host}: ${error.message}`);
    throw error;
  }
}

/** Content types of scripts; empty ones are accepted, too. */
const SCRIPT = /^(?:$|(?:text|application)\/(?:x-)?(?:java|ecma)script\b)/i;

function badGateway(problem: string): Failure {
  logLine("error", "script", { problem });
  return failure("bad_gateway.upstream");
}
