/** Display sizes of covers, smallest first, with their bounding boxes in pixels. */
export const COVER_BOXES = {
  S: { width: 116, height: 58 },
  M: { width: 180, height: 360 },
  L: { width: 500, height: 500 },
} as const;

export type CoverSize = keyof typeof COVER_BOXES;

// The compiler types member names as plain strings.
export const COVER_SIZES = Object.keys(COVER_BOXES) as readonly CoverSize[];

/** Size from which the smaller ones are made. */
export const LARGEST_COVER: CoverSize = "L";

/** Size in an address, as part of a regular expression. */
export const COVER_SIZE_PATTERN = `[${COVER_SIZES.join("")}]`;
