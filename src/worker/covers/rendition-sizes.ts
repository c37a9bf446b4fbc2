import type { ImageSize } from "./image-bytes.ts";

/** The sizes in which covers are shown, the largest first. */
export const RENDITIONS = ["L", "M", "S"] as const;
export type Rendition = (typeof RENDITIONS)[number];

/** The boxes that they have to fit into, in pixels (lookup.md 6.1). */
export const RENDITION_BOXES: Readonly<Record<Rendition, ImageSize>> = {
  S: { width: 116, height: 58 },
  M: { width: 180, height: 360 },
  L: { width: 500, height: 500 },
};

/** The size of an image in a box: its sides keep their relation, and it never grows. */
export function fittingSize(image: ImageSize, box: ImageSize): ImageSize {
  let { width, height } = image;
  if (width > box.width) {
    height = Math.max(Math.floor((height * box.width) / width), 1);
    width = box.width;
  }
  if (height > box.height) {
    width = Math.max(Math.floor((width * box.height) / height), 1);
    height = box.height;
  }
  return { width, height };
}
