export interface ReferenceWords {
  readonly and: string;
  readonly etAl: string;
  readonly noDate: string;
  readonly beforeChrist: string;
  readonly editor: string;
  readonly editors: string;
  readonly longEditor: string;
  readonly longEditors: string;
  readonly translator: string;
  readonly illustrator: string;
  readonly editedBy: string;
  readonly translatedBy: string;
  readonly illustratedBy: string;
}

const en: ReferenceWords = {
  and: "and",
  etAl: "et al.",
  noDate: "n.d.",
  beforeChrist: "BC",
  editor: "Ed.",
  editors: "Eds.",
  longEditor: "editor",
  longEditors: "editors",
  translator: "Trans.",
  illustrator: "Illus.",
  editedBy: "edited by",
  translatedBy: "translated by",
  illustratedBy: "illustrated by",
};
const de: ReferenceWords = {
  and: "und",
  etAl: "u. a.",
  noDate: "o. J.",
  beforeChrist: "v. Chr.",
  editor: "Hrsg.",
  editors: "Hrsg.",
  longEditor: "Herausgeber",
  longEditors: "Herausgeber",
  translator: "Übers.",
  illustrator: "Ill.",
  editedBy: "herausgegeben von",
  translatedBy: "übersetzt von",
  illustratedBy: "illustriert von",
};
const es: ReferenceWords = {
  and: "y",
  etAl: "et al.",
  noDate: "s. f.",
  beforeChrist: "a. C.",
  editor: "Ed.",
  editors: "Eds.",
  longEditor: "editor",
  longEditors: "editores",
  translator: "Trad.",
  illustrator: "Ilus.",
  editedBy: "editado por",
  translatedBy: "traducido por",
  illustratedBy: "ilustrado por",
};
const fr: ReferenceWords = {
  and: "et",
  etAl: "et al.",
  noDate: "s. d.",
  beforeChrist: "av. J.-C.",
  editor: "Éd.",
  editors: "Éds.",
  longEditor: "éditeur",
  longEditors: "éditeurs",
  translator: "Trad.",
  illustrator: "Ill.",
  editedBy: "édité par",
  translatedBy: "traduit par",
  illustratedBy: "illustré par",
};

export const REFERENCE_WORDS = { en, de, es, fr };

// The compiler types member names as plain strings.
export const CITATION_LANGUAGES = Object.keys(REFERENCE_WORDS) as readonly (keyof typeof REFERENCE_WORDS)[];

const SMALL = new Set(
  "a about across after against along amid among an and around as at before behind below between beyond but by despite down during en except for from if in inside into like near nor of off on onto or over past per since so than the through till to toward under until up upon v via vs with within without yet".split(
    " ",
  ),
);

/** Capitalises all words of an English title except small inner ones. Keeps words with capitals. */
export function toHeadlineCase(title: string): string {
  const words = title.split(" ");
  return words
    .map((word, index) => {
      const isInner = index > 0 && index < words.length - 1 && !/[:.?!]$/.test(words[index - 1] ?? "");
      if (/\p{Lu}/u.test(word) || (isInner && SMALL.has(word.replace(/\P{L}/gu, "")))) return word;
      return word.replace(
        /^(\P{L}*)(\p{L})/u,
        (_, before: string, letter: string) => before + letter.toUpperCase(),
      );
    })
    .join(" ");
}
