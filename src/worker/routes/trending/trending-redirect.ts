import { operation } from "../../http/operation.ts";
import { redirect } from "../../http/reply.ts";

/** `GET /trending`: to the works that readers are busy with now (lookup.md 15.2). */
export const trendingRedirect = operation({
  id: "trendingRedirect",
  summary: "To the works that readers are busy with now",
  tag: "trending",
  responses: { 303: { description: "To /trending/now" } },
  handle(_input, { url }) {
    return redirect(303, `/trending/now${url.search}`);
  },
});
