import * as z from "zod";
import { forCategories } from "../../covers/store/categories.ts";
import { receivedUpload } from "../../covers/store/received-upload.ts";
import { isProblem, storeError } from "../../covers/store/store-error.ts";
import { storeUpload } from "../../covers/store/upload.ts";
import { withRoomForBody } from "../../covers/room.ts";
import { operation } from "../../http/operation.ts";
import { NO_STORE, json } from "../../http/reply.ts";

const problem = z.object({
  code: z.literal([1, 2, 3]),
  message: z.string(),
  detail: z.string().optional().describe("What about an image is not taken"),
});

/** `POST /b/upload2`: stores an image (lookup.md 6.5). */
export const upload2 = forCategories((category, noun) =>
  operation({
    id: `upload${noun}Cover`,
    summary: `Stores an image of ${noun === "Author" ? "an author" : `a ${noun.toLowerCase()}`} in all sizes`,
    tag: "covers",
    body: {
      contentType: "multipart/form-data",
      description:
        "`data`, the bytes of the image, or `source_url`, which goes first; `olid`, `author`, `ip`",
    },
    responses: {
      200: {
        description: "Stored. `ok` is text",
        schema: z.object({ ok: z.literal("true"), id: z.int().describe("Number of the cover") }),
      },
      400: { description: "1: no image; 2: an address that is not taken; 3: not an image", schema: problem },
    },
    async handle(_input, context) {
      const stored = await withRoomForBody(context, async () =>
        storeUpload(context, category, await receivedUpload(context.request)),
      );
      if (isProblem(stored)) throw storeError(stored);
      return json({ ok: "true", id: stored.id }, { cacheControl: NO_STORE });
    },
  }),
);
