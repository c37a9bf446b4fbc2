// Images at the bounds of what is taken, in their full size.
import { expect, it } from "vitest";
import { COVER_MEMORY_BYTES, checkImage } from "../../../src/worker/covers/check-image.ts";
import { renderWith } from "../../../src/worker/covers/make-renditions.ts";
import { Photon } from "../../../src/worker/covers/photon.ts";
import { LARGEST_IMAGES } from "../../support/covers/largest-images.ts";
import { english } from "../../../src/catalog/texts.ts";

it.each(Object.entries(LARGEST_IMAGES))("unpacks the largest %s within its memory limit", (_name, file) => {
  const image = checkImage(file());
  if ("key" in image) throw new Error(english(image));
  const photon = new Photon();
  const large = checkImage(renderWith(photon, image)?.L ?? new Uint8Array());
  expect("key" in large ? english(large) : `${large.width}x${large.height}`).toMatch(/^(499|500)x500$/);
  expect(photon.memoryBytes).toBeLessThanOrEqual(COVER_MEMORY_BYTES);
});
