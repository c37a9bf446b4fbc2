import type { Json } from "./record.ts";

/** Error thrown if a response would exceed the size limit. Requests for fewer records succeed (413). */
export class AnswerTooLarge extends Error {
  constructor(message = "The answer would be too large.") {
    super(message);
  }
}

/** Byte budget of a response. */
export class ByteBudget {
  private left: number;
  private readonly lengths = new WeakMap<object, number>();

  constructor(bytes: number) {
    this.left = bytes;
  }

  /** Spends bytes. Throws `AnswerTooLarge` if fewer are left. */
  spend(bytes: number): void {
    this.left -= bytes;
    if (this.left < 0) throw new AnswerTooLarge();
  }

  /** Spends the approximate length of a value as JSON: each UTF-16 unit counts as a byte. */
  spendJson(value: Json): void {
    this.spend(this.lengthOf(value));
  }

  /** Returns the length of a value. A value that occurs many times is measured once. */
  private lengthOf(value: Json): number {
    if (typeof value === "string") return value.length + 2;
    if (typeof value !== "object" || value === null) return String(value).length;
    const known = this.lengths.get(value);
    if (known !== undefined) return known;
    let length = 2;
    for (const [name, member] of Object.entries(value)) {
      length += 1 + (Array.isArray(value) ? 0 : name.length + 3) + this.lengthOf(member ?? null);
    }
    this.lengths.set(value, length);
    return length;
  }
}
