import * as z from "zod";
import type { CoverCategory } from "../../db/covers/cover-rows.ts";
import { wantsHtml } from "../http/accept.ts";
import type { AnyOperation, RequestContext } from "../http/operation.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";

/** Kind of record that has images, with the names and changes of its images. */
export interface ImageKind {
  /** Noun in the names of operations, parameters (`edition_id`) and the type. */
  readonly noun: "edition" | "work" | "author";
  readonly folder: string;
  readonly letter: string;
  readonly category: CoverCategory;
  /** Singular; and plural, which is the member of the record. */
  readonly image: "cover" | "photo";
  readonly images: "covers" | "photos";
  /** Kind of the change that orders the images. */
  readonly updating: string;
}

const covers = { image: "cover", images: "covers", updating: "update-book-covers" } as const;
const photos = { image: "photo", images: "photos", updating: "update-author-photos" } as const;
export const EDITION: ImageKind = { noun: "edition", folder: "books", letter: "M", category: "b", ...covers };
const WORK: ImageKind = { noun: "work", folder: "works", letter: "W", category: "w", ...covers };
const AUTHOR: ImageKind = { noun: "author", folder: "authors", letter: "A", category: "a", ...photos };

export const IMAGE_KINDS: readonly ImageKind[] = [EDITION, WORK, AUTHOR];

/** Makes one operation per kind of record. */
export function forKinds(
  make: (kind: ImageKind, names: ReturnType<typeof namesOf>) => AnyOperation,
): Readonly<Record<ImageKind["noun"], AnyOperation>> {
  const made = (kind: ImageKind): AnyOperation => make(kind, namesOf(kind));
  return { edition: made(EDITION), work: made(WORK), author: made(AUTHOR) };
}

/** Record whose images are read or changed. */
export interface ImageTarget {
  readonly kind: ImageKind;
  /** Record id, such as `OL1M`. */
  readonly olid: string;
  /** Key, such as `/books/OL1M`. */
  readonly key: string;
}

/** Returns the names and schemas that the operations of one kind of record share. */
function namesOf({ noun, image, images }: ImageKind) {
  return {
    noun: capital(noun),
    image: capital(image),
    images: capital(images),
    /** Noun with its article: `an edition`, `a work`. */
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

/** Message after an image was added: BWBCoverBot treats its upload as failed without it. */
export const SAVED = "Saved!";

/** Returns the record that a path names. */
export function targetOf(
  kind: ImageKind,
  path: Readonly<Record<string, unknown>>,
  { settings }: RequestContext,
): ImageTarget {
  const olid = `${settings.RECORD_PREFIX}${String(path[`${kind.noun}_id`])}${kind.letter}`;
  return { kind, olid, key: `/${kind.folder}/${olid}` };
}

/** True if the response is a page; never below `.json`. */
export function asksForPage({ url, request }: RequestContext): boolean {
  return !url.pathname.endsWith(".json") && wantsHtml(request);
}

/** Returns the images of a record for programs. */
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
