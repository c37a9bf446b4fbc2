import * as z from "zod";
import { operation } from "../../http/operation.ts";
import { countsJson } from "../../reading/cached.ts";
import { likeView } from "../../reading/like-counts.ts";
import { likeKey } from "../../reading/like-key.ts";

/** `GET /api/likes?key=`: what patrons think of a record (patrons.md 12). */
export const likes = operation({
  id: "likes",
  summary: "How many patrons like a record",
  tag: "reading",
  query: { key: z.string().optional().describe("Key of the record") },
  responses: {
    200: {
      description: "Counts, and whether the patron who asks likes it",
      schema: z.object({ likes: z.int(), dislikes: z.int(), patron_liked: z.boolean() }),
    },
    400: { description: "No key" },
  },
  async handle({ query }, context) {
    const view = await likeView(context, likeKey(query.key));
    const { likes: liked, dislikes, isLiked } = view;
    return countsJson({ likes: liked, dislikes, patron_liked: isLiked }, view);
  },
});
