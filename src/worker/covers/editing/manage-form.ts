import type { FormField } from "../../../catalog/editing/form-fields.ts";
import { validationFailed } from "../../http/errors.ts";
import { coverNumber } from "../store/cover-number.ts";
import { type WantedImages, RECORD_IMAGES_MAX } from "./image-list.ts";

/** What stands after the images that a record is to have. */
export const END_OF_IMAGES = "-";
const IMAGE = /^image(?:--\d+)?$/;
const POSITION = /^position-(\d{1,15})$/;

/**
 * What a form says of the images of a record (lookup.md 7): the numbers called `image` before the first `-`. The page
 * sends places besides, `position-<number>`, by which they are sorted, and in `shown` the numbers that it has shown. Throws a
 * 422.
 */
export function wantedImages(fields: readonly FormField[]): WantedImages {
  const named = fields.filter(([name]) => IMAGE.test(name)).map(([, text]) => text.trim());
  const end = named.indexOf(END_OF_IMAGES);
  if (end < 0) throw wrong(`Value error, '${END_OF_IMAGES}' has to follow the images`, null);
  if (end > RECORD_IMAGES_MAX) throw wrong(`Value error, at most ${RECORD_IMAGES_MAX} images`, end);
  const images = named.slice(0, end).map(imageNumber);
  const shown = shownImages(fields);
  return { images: [...new Set(placed(images, placesOf(fields), shown))], shown: shown && new Set(shown) };
}

/** Images by their places. Of two at one place the one that came up to it goes first, and the one that came down last. */
function placed(
  images: readonly number[],
  places: ReadonlyMap<number, number>,
  shown: readonly number[] = [],
): readonly number[] {
  if (places.size === 0) return images;
  const before = new Map(shown.map((id, index) => [id, index + 1]));
  const place = (id: number): number => places.get(id) ?? Number.POSITIVE_INFINITY;
  const moved = (id: number): number => compared(place(id), before.get(id) ?? place(id));
  return images.toSorted((a, b) => compared(place(a), place(b)) || moved(a) - moved(b));
}

function imageNumber(text: string): number {
  const id = coverNumber(text);
  if (id !== undefined) return id;
  throw wrong("Value error, not the number of an image", text);
}

function placesOf(fields: readonly FormField[]): ReadonlyMap<number, number> {
  return new Map(
    fields.flatMap(([name, text]) => {
      const [, digits] = POSITION.exec(name) ?? [];
      const place = Number(text);
      return digits === undefined || text.trim() === "" || Number.isNaN(place)
        ? []
        : [[Number(digits), place] as const];
    }),
  );
}

function compared(a: number, b: number): -1 | 0 | 1 {
  return a === b ? 0 : a < b ? -1 : 1;
}

function shownImages(fields: readonly FormField[]): readonly number[] | undefined {
  const text = fields.findLast(([name]) => name === "shown")?.[1];
  if (text === undefined) return undefined;
  return text.split(" ").flatMap((part) => coverNumber(part) ?? []);
}

function wrong(msg: string, input: unknown) {
  return validationFailed([{ type: "value_error", loc: ["body", "image"], msg, input }]);
}
