import type { ImageSize } from "./image-size.ts";

/** The sizes in which covers are shown, the largest first. */
export const RENDITIONS = ["L", "M", "S"] as const;
export type Rendition = (typeof RENDITIONS)[number];

/** The boxes that they have to fit into, in pixels. */
export const RENDITION_BOXES: Readonly<Record<Rendition, ImageSize>> = {
  S: { width: 116, height: 58 },
  M: { width: 180, height: 360 },
  L: { width: 500, height: 500 },
};
