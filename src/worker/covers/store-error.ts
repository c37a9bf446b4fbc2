import * as z from "zod";
import { CarrelError } from "../http/errors.ts";
import { NO_IMAGE_FILE } from "./check-image.ts";

/** What is wrong with an upload, as clients of the cover store read it; of what is no image without a detail. */
export const storeProblem = z.object({
  code: z.literal([1, 2, 3]),
  message: z.string(),
  detail: z.string().optional().describe("What about an image is not taken"),
});
export type StoreProblem = Readonly<z.output<typeof storeProblem>>;

export const NO_IMAGE: StoreProblem = { code: 1, message: "No image found" };
export const BAD_URL: StoreProblem = { code: 2, message: "Invalid URL" };
export const BAD_IMAGE: StoreProblem = { code: 3, message: "Invalid Image" };

/** What is wrong with an image, by what `checkImage` says of it. Q405: an image that is too large is told so. */
export function badImage(problem: string): StoreProblem {
  return problem === NO_IMAGE_FILE ? BAD_IMAGE : { ...BAD_IMAGE, detail: problem };
}

/** True for what is wrong, false for what came of it. */
export function isProblem<Value extends object>(value: Value | StoreProblem): value is StoreProblem {
  return "code" in value && "message" in value;
}

/** 400 with the problem. */
export function storeError(problem: StoreProblem): CarrelError {
  const { message, detail } = problem;
  const text = detail === undefined ? message : `${message}: ${detail}`;
  return new CarrelError(400, "cover_store", { message: text, body: { ...problem } });
}
