import { readShard } from "../../db/search/read-shard.ts";
import { storesOf } from "../context.ts";
import { notFound } from "../errors.ts";
import { answering, jsonResponse } from "./service.ts";

const PING = /^\/solr(?:\/\w+)?\/admin\/ping$/;

/** The search engine's listener: it says whether the index can be reached. */
export function searchEngine(request: Request, env: Env): Promise<Response> {
  return answering(request, async () => {
    const { pathname } = new URL(request.url);
    if (pathname !== "/" && !PING.test(pathname)) throw notFound();
    const shard = await readShard(storesOf(env).search);
    return jsonResponse({ responseHeader: { status: 0, QTime: 0 }, status: "OK", ...shard });
  });
}
