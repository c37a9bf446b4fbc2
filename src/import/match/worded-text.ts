/** A text that may be compared word by word. Most are not: the words are looked for when they are asked for. */
export class WordedText {
  readonly text: string;
  #words: readonly string[] | undefined;
  #distinct: ReadonlySet<string> | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get words(): readonly string[] {
    this.#words ??= this.text.split(/\s+/).filter((word) => word !== "");
    return this.#words;
  }

  get distinct(): ReadonlySet<string> {
    this.#distinct ??= new Set(this.words);
    return this.#distinct;
  }
}
