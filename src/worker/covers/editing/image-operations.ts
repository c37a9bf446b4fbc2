import * as z from "zod";
import type { RequestContext } from "../../http/operation.ts";
import { type Reply, NO_STORE, json } from "../../http/reply.ts";
import { wantsHtml } from "../../http/accept.ts";
import { type ImageKind, type ImageTarget, imageTarget } from "./kinds.ts";

/** Names and schemas that the operations of one kind of record have in common. */
export function namesOf({ noun, image, images }: ImageKind) {
  return {
    noun: capital(noun),
    image: capital(image),
    images: capital(images),
    /** `an edition`, `a work` */
    one: /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`,
    path: { [`${noun}_id`]: z.string().describe(`The digits of the ${noun}'s number`) },
    schema: z.object({
      key: z.string(),
      [images]: z.array(z.int()).describe("Numbers, the first one is shown"),
    }),
  };
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The record that a path means. */
export function targetOf(
  kind: ImageKind,
  path: Readonly<Record<string, unknown>>,
  { settings }: RequestContext,
): ImageTarget {
  return imageTarget(kind, String(path[`${kind.noun}_id`]), settings.RECORD_PREFIX);
}

/** True when the answer is a page: below `.json` never. */
export function asksForPage({ url, request }: RequestContext): boolean {
  return !url.pathname.endsWith(".json") && wantsHtml(request);
}

/** The images of a record for programs. */
export function imagesReply(
  { key, kind }: ImageTarget,
  images: readonly number[],
  more: Readonly<Record<string, unknown>> = {},
): Reply {
  return json(
    { ...more, key, [kind.images]: images },
    { cacheControl: NO_STORE, headers: { Vary: "Accept" } },
  );
}
