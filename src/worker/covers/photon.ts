import module from "@cf-wasm/photon/photon.wasm";
import type { ImageSize } from "./image-size.ts";

/** Pixels of an image, row by row, four bytes each: red, green, blue, opacity. */
export interface Pixels extends ImageSize {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** An image in the memory of the library. */
type Handle = number;
/** Bytes in the memory of the library. */
type Extent = [pointer: number, length: number];

/** Images that an instance may fail at: each leaves a part of its stack behind, some hundred bytes out of a megabyte. */
export const PHOTON_FAILURES_MAX = 50;

/** Lanczos with three lobes, among the filters of the library. */
const LANCZOS = 5;

/** What is used of the library, as it is declared in its `photon_rs_bg.wasm.d.ts`. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  __wbindgen_start(): void;
  __wbindgen_malloc(length: number, alignment: number): number;
  __wbindgen_free(pointer: number, length: number, alignment: number): void;
  __wbg_photonimage_free(image: Handle, unused: number): void;
  /** This one and the next take the bytes over. */
  photonimage_new(pointer: number, length: number, width: number, height: number): Handle;
  photonimage_new_from_byteslice(pointer: number, length: number): Handle;
  photonimage_get_width(image: Handle): number;
  photonimage_get_height(image: Handle): number;
  photonimage_get_raw_pixels(image: Handle): Extent;
  photonimage_get_bytes_jpeg(image: Handle, quality: number): Extent;
  resize(image: Handle, width: number, height: number, filter: number): Handle;
}

/**
 * An instance of the image library. Its memory only ever grows. The bindings that come with the library know a single
 * instance that lives for ever, hence these (decision 0028).
 *
 * What fails inside is thrown as an error; whether more may be asked of the instance then, `isUsable` says.
 */
export class Photon {
  readonly #exports: Exports;
  #failures = 0;
  #isBroken = false;

  constructor() {
    const { exports } = new WebAssembly.Instance(module, { "./photon_rs_bg.js": outside() });
    // The compiler knows that there are exports, the library which ones (see above).
    this.#exports = exports as unknown as Exports;
    this.#exports.__wbindgen_start();
  }

  /** Bytes of memory that the instance has taken. */
  get memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /**
   * True when more images may be unpacked. The library gives up (it panics) where it cannot read one; what it had taken for
   * that it has given back by then, but for the file. Whatever else ends it leaves it in a state that nobody knows.
   */
  get isUsable(): boolean {
    return !this.#isBroken && this.#failures < PHOTON_FAILURES_MAX;
  }

  /**
   * Unpacks an image file, which comes in pieces. What `take` gets are the library's own bytes, and gone when it
   * returns.
   */
  decode<Taken>(file: readonly Uint8Array[], take: (pixels: Pixels) => Taken): Taken {
    const exports = this.#exports;
    const image = this.#unpacked(file);
    const [width, height] = [exports.photonimage_get_width(image), exports.photonimage_get_height(image)];
    const extent = exports.photonimage_get_raw_pixels(image);
    exports.__wbg_photonimage_free(image, 0);
    const taken = take({ bytes: this.#bytes(extent), width, height });
    exports.__wbindgen_free(...extent, 1);
    return taken;
  }

  /** The same image in another size. */
  resize(pixels: Pixels, { width, height }: ImageSize): Pixels {
    const exports = this.#exports;
    const image = this.#image(pixels);
    const resized = exports.resize(image, width, height, LANCZOS);
    exports.__wbg_photonimage_free(image, 0);
    const bytes = this.#take(exports.photonimage_get_raw_pixels(resized));
    exports.__wbg_photonimage_free(resized, 0);
    return { bytes, width, height };
  }

  /** A JPEG file of an image; its opacity counts for nothing. */
  jpeg(pixels: Pixels, quality: number): Uint8Array<ArrayBuffer> {
    const exports = this.#exports;
    const image = this.#image(pixels);
    const file = this.#take(exports.photonimage_get_bytes_jpeg(image, quality));
    exports.__wbg_photonimage_free(image, 0);
    return file;
  }

  #unpacked(file: readonly Uint8Array[]): Handle {
    try {
      return this.#exports.photonimage_new_from_byteslice(...this.#put(file));
    } catch (error) {
      this.#failures += 1;
      // The library has given up by itself, or something else has ended it.
      this.#isBroken = !(error instanceof WebAssembly.RuntimeError && error.message === "unreachable");
      throw error;
    }
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
    // Large pointers come out of the library as negative numbers; and the memory is another one after it has grown.
    return new Uint8Array(this.#exports.memory.buffer, pointer >>> 0, length);
  }
}

/** Prepares a table for objects of the browser, and has nothing to do. */
const PREPARE = "__wbindgen_init_externref_table";

/**
 * What the library calls outside itself. All of it is for browsers, or for reporting that it has failed, so that each call
 * but one is a failure.
 */
function outside(): Record<string, () => void> {
  return Object.fromEntries(
    WebAssembly.Module.imports(module).map(({ name }) => [
      name,
      () => {
        if (name !== PREPARE) throw new Error(`the image library has called ${name}`);
      },
    ]),
  );
}
