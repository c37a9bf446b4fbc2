import { createRequire } from "node:module";

/**
 * The local image service keeps the last hundred images that it has read, and of some of them all pixels: three gigabytes after
 * eight large ones (docs/decisions/0032-large-photographs.md). Here it keeps none.
 */
export function keepNoImages() {
  /** @type {{ cache: (isOn: boolean) => void }} */
  let sharp;
  try {
    // Miniflare's own: it is no dependency of ours.
    sharp = createRequire(import.meta.resolve("miniflare"))("sharp");
  } catch {
    // A platform that it does not work on: large images are then answered with 503.
    return;
  }
  sharp.cache(false);
}
