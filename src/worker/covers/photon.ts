import module from "@cf-wasm/photon/photon.wasm";
import type { ImageSize, Pixels } from "./pixels.ts";

type Handle = number;
/** Byte range in the memory of the library. */
type Extent = [pointer: number, length: number];

/** Maximum failures of an instance: each leaves a part of its stack behind, some hundred bytes out of a megabyte. */
export const PHOTON_FAILURES_MAX = 50;

const LANCZOS = 5;
/** Import that prepares a table for browser objects; nothing to do here. */
const PREPARE = "__wbindgen_init_externref_table";

/** Functions of the library that are used, as declared in its `photon_rs_bg.wasm.d.ts`. */
interface Exports {
  memory: WebAssembly.Memory;
  __wbindgen_start(): void;
  __wbindgen_malloc(length: number, alignment: number): number;
  __wbindgen_free(pointer: number, length: number, alignment: number): void;
  __wbg_photonimage_free(image: Handle, unused: number): void;
  /** This function and the next take ownership of the bytes. */
  photonimage_new(pointer: number, length: number, width: number, height: number): Handle;
  photonimage_new_from_byteslice(pointer: number, length: number): Handle;
  photonimage_get_width(image: Handle): number;
  photonimage_get_height(image: Handle): number;
  photonimage_get_raw_pixels(image: Handle): Extent;
  photonimage_get_bytes_jpeg(image: Handle, quality: number): Extent;
  resize(image: Handle, width: number, height: number, filter: number): Handle;
}

/**
 * Instance of the image library. Its memory only ever grows. The library's own bindings support one permanent instance
 * only, so this class replaces them (decision 0028). Failures inside are thrown as errors; `isUsable` tells if the
 * instance can be used afterwards.
 */
export class Photon {
  readonly #exports: Exports;
  #failures = 0;
  #isBroken = false;

  constructor() {
    // The imports of the library are for browsers or report failures, so all but one throw.
    const imports = WebAssembly.Module.imports(module).map(({ name }) => {
      const call = (): void => {
        if (name !== PREPARE) throw new Error(`the image library has called ${name}`);
      };
      return [name, call] as const;
    });
    const { exports } = new WebAssembly.Instance(module, {
      "./photon_rs_bg.js": Object.fromEntries(imports),
    });
    // The compiler does not know the types of the exports; the library declares them (see above).
    this.#exports = exports as unknown as Exports;
    this.#exports.__wbindgen_start();
  }

  get memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /**
   * True if more images may be decoded. The library panics on images that it cannot read; by then it has freed the
   * memory taken for the image, except for the file. After any other failure its state is undefined.
   */
  get isUsable(): boolean {
    return !this.#isBroken && this.#failures < PHOTON_FAILURES_MAX;
  }

  /** Decodes an image file, given in pieces. `take` gets the library's own bytes, which are valid until it returns. */
  decode<Result>(file: readonly Uint8Array[], take: (pixels: Pixels) => Result): Result {
    const exports = this.#exports;
    let image: Handle;
    try {
      image = exports.photonimage_new_from_byteslice(...this.#put(file));
    } catch (error) {
      this.#failures += 1;
      // Any other error than a panic of the library leaves it broken.
      this.#isBroken = !(error instanceof WebAssembly.RuntimeError && error.message === "unreachable");
      throw error;
    }
    const [width, height] = [exports.photonimage_get_width(image), exports.photonimage_get_height(image)];
    const extent = exports.photonimage_get_raw_pixels(image);
    exports.__wbg_photonimage_free(image, 0);
    const result = take({ bytes: this.#bytes(extent), width, height });
    exports.__wbindgen_free(...extent, 1);
    return result;
  }

  resize(pixels: Pixels, { width, height }: ImageSize): Pixels {
    const exports = this.#exports;
    const image = this.#image(pixels);
    const resized = exports.resize(image, width, height, LANCZOS);
    exports.__wbg_photonimage_free(image, 0);
    const bytes = this.#take(exports.photonimage_get_raw_pixels(resized));
    exports.__wbg_photonimage_free(resized, 0);
    return { bytes, width, height };
  }

  /** Encodes an image as JPEG; its opacity is ignored. */
  jpeg(pixels: Pixels, quality: number): Uint8Array<ArrayBuffer> {
    const exports = this.#exports;
    const image = this.#image(pixels);
    const file = this.#take(exports.photonimage_get_bytes_jpeg(image, quality));
    exports.__wbg_photonimage_free(image, 0);
    return file;
  }

  #image({ bytes, width, height }: Pixels): Handle {
    return this.#exports.photonimage_new(...this.#put([bytes]), width, height);
  }

  #put(pieces: readonly Uint8Array[]): Extent {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const extent: Extent = [this.#exports.__wbindgen_malloc(length, 1), length];
    const bytes = this.#bytes(extent);
    let position = 0;
    for (const piece of pieces) {
      bytes.set(piece, position);
      position += piece.length;
    }
    return extent;
  }

  #take(extent: Extent): Uint8Array<ArrayBuffer> {
    const bytes = this.#bytes(extent).slice();
    this.#exports.__wbindgen_free(...extent, 1);
    return bytes;
  }

  #bytes([pointer, length]: Extent): Uint8Array<ArrayBuffer> {
    // The library returns large pointers as negative numbers; and the memory has a new buffer after it has grown.
    return new Uint8Array(this.#exports.memory.buffer, pointer >>> 0, length);
  }
}
