import * as z from "zod";
import type { CoverCategory } from "../../../db/covers/rows.ts";
import { coverReply } from "../../covers/cover-reply.ts";
import { type AnyOperation, operation } from "../../http/operation.ts";

/** How covers are asked for, in the words of the interface description. */
export const coverPath = {
  key: z
    .string()
    .describe("`id`, `olid`, `isbn`, `oclc`, `lccn`, `ia`, or any identifier of editions, in any case"),
  value: z.string(),
};

/** `GET /b/id/<id>-M.jpg`: the image of a cover, by its number or by what it is the cover of (lookup.md 6.1, 6.2). */
function coverImage(category: CoverCategory, what: string): AnyOperation {
  return operation({
    id: `coverImage${category.toUpperCase()}`,
    summary: `The image of ${what}`,
    tag: "covers",
    path: {
      ...coverPath,
      value: z.string().describe("For one of three sizes with `-S`, `-M` or `-L` at its end"),
    },
    query: {
      default: z
        .string()
        .default("true")
        .describe(
          "Where there is no cover: `true` a transparent pixel, `false` 404, or the address of another image",
        ),
    },
    responses: {
      200: {
        description: "The image, or a transparent pixel",
        contentType: "image/jpeg",
        also: ["image/png", "image/gif", "image/webp"],
      },
      302: { description: "The image is at another service" },
      303: { description: "No cover: the image that the client wants instead" },
      404: { description: "No such address, or with default=false no cover" },
    },
    handle: ({ path, query }, context) => coverReply(context, { category, ...path, fallback: query.default }),
  });
}

/** One operation a category. */
export const coverImages: Readonly<Record<CoverCategory, AnyOperation>> = {
  b: coverImage("b", "an edition"),
  a: coverImage("a", "an author"),
  w: coverImage("w", "a work"),
};
