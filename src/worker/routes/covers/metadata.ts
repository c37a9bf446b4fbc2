import type { CoverCategory } from "../../../db/covers/rows.ts";
import { coverMetadataSchema, metadataReply } from "../../covers/metadata.ts";
import { type AnyOperation, operation } from "../../http/operation.ts";
import { coverPath } from "./cover-image.ts";

/** `GET /b/id/<id>.json`: what is known of a cover (lookup.md 6.3). */
function coverMetadata(category: CoverCategory, what: string): AnyOperation {
  return operation({
    id: `coverMetadata${category.toUpperCase()}`,
    summary: `What is known of the image of ${what}`,
    tag: "covers",
    path: coverPath,
    responses: {
      200: { description: "By its number: the description", schema: coverMetadataSchema },
      302: { description: "By another key: the description by its number; or it is at another service" },
      404: { description: "No such cover" },
    },
    handle: ({ path }, context) => {
      const prefix = context.url.pathname.startsWith("/covers/") ? "/covers" : "";
      return metadataReply(context, { category, ...path }, prefix);
    },
  });
}

/** One operation a category. */
export const coverMetadataBy: Readonly<Record<CoverCategory, AnyOperation>> = {
  b: coverMetadata("b", "an edition"),
  a: coverMetadata("a", "an author"),
  w: coverMetadata("w", "a work"),
};
