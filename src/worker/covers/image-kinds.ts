import * as z from "zod";
import type { CoverCategory } from "../../db/covers/rows.ts";
import { wantsHtml } from "../http/accept.ts";
import type { AnyOperation, RequestContext } from "../http/operation.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";

/** A kind of record that has images, and how they are called and changed. */
export interface ImageKind {
  /** Names operations, parameters (`edition_id`) and the type. */
  readonly noun: "edition" | "work" | "author";
  readonly folder: string;
  readonly letter: string;
  readonly category: CoverCategory;
  /** What one image is called; and several, which are a member of the record. */
  readonly image: "cover" | "photo";
  readonly images: "covers" | "photos";
  /** Kind of the change that orders them. */
  readonly updating: string;
}

const covers = { image: "cover", images: "covers", updating: "update-book-covers" } as const;
const photos = { image: "photo", images: "photos", updating: "update-author-photos" } as const;
export const EDITION: ImageKind = { noun: "edition", folder: "books", letter: "M", category: "b", ...covers };
const WORK: ImageKind = { noun: "work", folder: "works", letter: "W", category: "w", ...covers };
const AUTHOR: ImageKind = { noun: "author", folder: "authors", letter: "A", category: "a", ...photos };

export const IMAGE_KINDS: readonly ImageKind[] = [EDITION, WORK, AUTHOR];

/** One operation for each kind of record. */
export function forKinds(
  make: (kind: ImageKind, names: ReturnType<typeof namesOf>) => AnyOperation,
): Readonly<Record<ImageKind["noun"], AnyOperation>> {
  const made = (kind: ImageKind): AnyOperation => make(kind, namesOf(kind));
  return { edition: made(EDITION), work: made(WORK), author: made(AUTHOR) };
}

/** A record whose images are meant. */
export interface ImageTarget {
  readonly kind: ImageKind;
  /** `OL1M` */
  readonly olid: string;
  /** `/books/OL1M` */
  readonly key: string;
}

/** Names and schemas that the operations of one kind of record have in common. */
function namesOf({ noun, image, images }: ImageKind) {
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

/** Said after an image was added: BWBCoverBot takes its upload for failed where it does not read this. */
export const SAVED = "Saved!";

/** The record that a path means. */
export function targetOf(
  kind: ImageKind,
  path: Readonly<Record<string, unknown>>,
  { settings }: RequestContext,
): ImageTarget {
  const olid = `${settings.RECORD_PREFIX}${String(path[`${kind.noun}_id`])}${kind.letter}`;
  return { kind, olid, key: `/${kind.folder}/${olid}` };
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
