import type { CoverCategory } from "../../../db/covers/rows.ts";
import type { RequestContext } from "../../http/operation.ts";
import { validationFailed } from "../../http/errors.ts";
import { checkImage } from "../check-image.ts";
import { storeCover } from "../store-cover.ts";
import { sourceImage } from "./source-image.ts";
import { type StoreProblem, BAD_IMAGE, NO_IMAGE, badImage, isProblem } from "./store-error.ts";

/** Characters of what is said of an image besides its address. */
export const UPLOAD_TEXT_LENGTH = 200;

/** An image that is sent to the cover store, and what is said of it; texts are empty where nothing is. */
export interface Upload {
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  readonly sourceUrl: string;
  readonly olid: string;
  readonly author: string;
  readonly ip: string;
}

/** Stores an image: that of the address when there is one, else the bytes. The number that it gets, or what is wrong. */
export async function storeUpload(
  context: RequestContext,
  category: CoverCategory,
  upload: Upload,
): Promise<{ readonly id: number } | StoreProblem> {
  checkTexts(upload);
  const image = await imageOf(context, upload);
  if (isProblem(image)) return image;
  const stored = await storeCover(context, {
    category,
    image,
    olid: orNull(upload.olid),
    sourceUrl: orNull(upload.sourceUrl),
    author: orNull(upload.author),
    ip: orNull(upload.ip),
  });
  return stored.ok ? { id: stored.id } : BAD_IMAGE;
}

async function imageOf(context: RequestContext, { bytes, sourceUrl }: Upload) {
  if (sourceUrl !== "") return sourceImage(context, sourceUrl);
  if (bytes === undefined || bytes.length === 0) return NO_IMAGE;
  const image = checkImage(bytes, context.stores);
  return typeof image === "string" ? badImage(image) : image;
}

function checkTexts({ olid, author, ip }: Upload): void {
  const failures = Object.entries({ olid, author, ip })
    .filter(([, text]) => text.length > UPLOAD_TEXT_LENGTH)
    .map(([name, input]) => ({
      type: "string_too_long",
      loc: ["body", name],
      msg: `String should have at most ${UPLOAD_TEXT_LENGTH} characters`,
      input,
      ctx: { max_length: UPLOAD_TEXT_LENGTH },
    }));
  if (failures.length > 0) throw validationFailed(failures);
}

function orNull(text: string): string | null {
  return text === "" ? null : text;
}
