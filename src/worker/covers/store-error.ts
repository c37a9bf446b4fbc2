import * as z from "zod";
import { CarrelError } from "../http/errors.ts";
import { NO_IMAGE_FILE } from "./check-image.ts";

/** Problem of an upload in the form of the cover store; without a detail if the file is not an image. */
export const storeProblem = z.object({
  code: z.literal([1, 2, 3]),
  message: z.string(),
  detail: z.string().optional().describe("What about an image is not taken"),
});
export type StoreProblem = Readonly<z.output<typeof storeProblem>>;

export const NO_IMAGE: StoreProblem = { code: 1, message: "No image found" };
export const BAD_URL: StoreProblem = { code: 2, message: "Invalid URL" };
export const BAD_IMAGE: StoreProblem = { code: 3, message: "Invalid Image" };

/** Returns the problem of an image for a reason of `checkImage`. Q405: includes the reason if it is too large. */
export function badImage(problem: string): StoreProblem {
  return problem === NO_IMAGE_FILE ? BAD_IMAGE : { ...BAD_IMAGE, detail: problem };
}

/** True for a problem, false for a result. */
export function isProblem<Value extends object>(value: Value | StoreProblem): value is StoreProblem {
  return "code" in value && "message" in value;
}

/** Builds a 400 with the problem. */
export function storeError(problem: StoreProblem): CarrelError {
  const { message, detail } = problem;
  const text = detail === undefined ? message : `${message}: ${detail}`;
  return new CarrelError(400, "cover_store", { message: text, body: { ...problem } });
}
