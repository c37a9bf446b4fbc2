import en from "../../locales/en.json" with { type: "json" };

/** Key of a text in `locales/`: `book.editions`. */
export type TextKey = keyof typeof en;

/** Values of a text's placeholders. `count` selects its plural form. */
export type TextValues = Readonly<Record<string, string | number>>;

/** Sentence for a person or a client, in no language yet. */
export interface Text<Key extends TextKey = TextKey> {
  readonly key: Key;
  readonly values?: TextValues | undefined;
}

const plurals = new Intl.PluralRules("en");

/** Renders a text as JSON responses and logs show it: in English, with numbers as they are. */
export function english({ key, values = {} }: Text): string {
  const phrase: string | { readonly other: string; readonly one?: string } = en[key];
  const { count } = values;
  const form = typeof count === "number" ? plurals.select(count) : "other";
  const text = typeof phrase === "string" ? phrase : (form === "one" && phrase.one) || phrase.other;
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

export function isTextKey(name: string | undefined): name is TextKey {
  return name !== undefined && Object.hasOwn(en, name);
}

/** Base of errors whose message is a text of `locales/`. */
export abstract class TextError<Key extends TextKey = TextKey> extends Error {
  readonly text: Text<Key>;

  constructor(key: Key, values?: TextValues, options?: ErrorOptions) {
    super(english({ key, values }), options);
    this.text = { key, values };
  }
}
