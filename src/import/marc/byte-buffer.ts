const FIRST_CAPACITY = 1 << 16;

/** Bytes that came in and are not done with: added at the end, dropped at the start. */
export class ByteBuffer {
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #start = 0;
  #end = 0;

  get length(): number {
    return this.#end - this.#start;
  }

  append(chunk: Uint8Array): void {
    if (this.#end + chunk.length > this.#bytes.length) this.#makeRoom(chunk.length);
    this.#bytes.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** Drops so many bytes at the start. */
  drop(count: number): void {
    this.#start = Math.min(this.#end, this.#start + count);
  }

  /** A copy. */
  slice(from: number, to: number): Uint8Array {
    return this.#bytes.slice(this.#start + from, Math.min(this.#end, this.#start + to));
  }

  /** What is there, for reading before the next change. */
  view(): Uint8Array {
    return this.#bytes.subarray(this.#start, this.#end);
  }

  /** Twice what is needed at least, so that moving costs no more than what came in. */
  #makeRoom(more: number): void {
    const needed = this.length + more;
    const target = needed * 2 > this.#bytes.length ? new Uint8Array(needed * 2) : this.#bytes;
    target.set(this.view());
    [this.#bytes, this.#end, this.#start] = [target, this.length, 0];
  }
}
