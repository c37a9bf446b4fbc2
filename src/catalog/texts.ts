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

/** Text with `{placeholders}`; a text with a count has one for each plural form of the language. */
export type Phrase = string | { readonly [form in Intl.LDMLPluralRule]?: string };

const ENGLISH = new Intl.PluralRules("en");

/** Renders a text as JSON responses and logs show it: in English, with numbers as they are. */
export function english({ key, values }: Text): string {
  return plainText(en[key], values, ENGLISH);
}

/** Fills in the placeholders of a phrase, with numbers as they are. */
export function plainText(phrase: Phrase, values: TextValues = {}, plurals: Intl.PluralRules): string {
  return pluralForm(phrase, values["count"], plurals).replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    String(values[name] ?? placeholder),
  );
}

/** Returns the form of a phrase for a count; the general one for anything that is no number. */
export function pluralForm(phrase: Phrase, count: unknown, plurals: Intl.PluralRules): string {
  if (typeof phrase === "string") return phrase;
  const form = typeof count === "number" ? plurals.select(count) : "other";
  return phrase[form] ?? phrase.other ?? "";
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
