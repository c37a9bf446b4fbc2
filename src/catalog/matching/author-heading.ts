/** Author's name as catalogues, booksellers and citations write it. */
interface AuthorHeading {
  /** Name in the order of the text, without dates, titles and fuller forms: `Austen, Jane`. */
  readonly name: string;
  /** Name in natural order: `Jane Austen`. */
  readonly naturalName: string;
  readonly birthDate: string | undefined;
  readonly deathDate: string | undefined;
}

/** Maximum length of a heading; longer texts stay as they are. */
const HEADING_LENGTH_MAX = 300;
const END_SIGN = /[\s.,;]/;
const OPENING = /[,([]/;
const CLOSING = /[)\]]/;
const BLANKS = /\s+/g;
const DIED = String.raw`d\.|died|gest\.|†`;
/** Dates, with single blanks. */
const DATES = new RegExp(
  String.raw`^(?:(?<born>b\.|born|geb\.|\*)|(?<died>${DIED})|(?<active>active|fl\.))? ?${yearPattern("first")}? ?` +
    String.raw`(?<dash>\p{Pd} ?(?:${DIED})? ?${yearPattern("second")}?)?[ .;]*$`,
  "iu",
);
const FULLER_FORM = /(?:(?<!\s)\s+)?\([^()]*\)/g;
const TITLES: ReadonlySet<string> = new Set(
  "sir dame lord lady saint st baron baroness count countess earl mr mrs ms dr professor".split(" "),
);
const DOTS = /\./g;
const ONLY_DIGITS = /^\d+$/;

function yearPattern(name: string): string {
  return String.raw`(?:(?:ca?\.?|approximately|about|circa)? ?(?<${name}>\d{1,4} ?(?:A\.? ?D|B\.? ?C)\.?|\d{3,4})(?:\?| or \d+)?)`;
}

/** Parses a name with what catalogues add to it, such as `Austen, Jane, 1775-1817.`; other names stay (Q653). */
export function parseAuthorHeading(text: string): AuthorHeading {
  const name = text.trim();
  const undated = { name, naturalName: name, birthDate: undefined, deathDate: undefined };
  if (name.length > HEADING_LENGTH_MAX) return undated;
  const { start, last } = lastPartOf(name);
  const dates = last === "" ? undefined : DATES.exec(last)?.groups;
  const isDated = dates?.["first"] !== undefined || dates?.["second"] !== undefined;
  const rest = isDated ? name.slice(0, start) : name;
  const parts = (rest.includes(",") ? rest.replace(FULLER_FORM, "") : rest)
    .split(",")
    .map((part) => part.trim())
    .filter((part, place) => part !== "" && (place < 2 || !TITLES.has(part.replace(DOTS, "").toLowerCase())));
  const [family = "", given, ...others] = parts;
  if (family === "") return undated;
  return {
    name: parts.join(", "),
    naturalName: given === undefined ? family : [`${given} ${family}`, ...others].join(", "),
    ...(isDated ? lifeOf(dates) : { birthDate: undefined, deathDate: undefined }),
  };
}

/**
 * Returns the last part of a heading, which may be its dates: `, 1775-1817.` or ` (1775-1817)`, with single blanks, and
 * where it starts. Empty if there is none.
 */
function lastPartOf(name: string): { readonly start: number; readonly last: string } {
  let end = name.length;
  while (end > 0 && END_SIGN.test(name.charAt(end - 1))) end -= 1;
  const isClosed = CLOSING.test(name.charAt(end - 1));
  if (isClosed) end -= 1;
  let start = end - 1;
  while (start >= 0 && !OPENING.test(name.charAt(start))) start -= 1;
  // Dots at the end may belong to the dates: `1775-d.`.
  const [part = ""] = start < 0 ? [] : name.slice(start + 1, isClosed ? end : name.length).split(",", 1);
  return { start, last: CLOSING.test(part) ? "" : part.replace(BLANKS, " ").trim() };
}

/** Returns the years of birth and death; a single year may be either, years of activity and of antiquity are neither. */
function lifeOf(dates: Readonly<Record<string, string | undefined>> = {}) {
  const { born, died, active, dash, first, second } = dates;
  const isAncient = [first, second].some((year) => year !== undefined && !ONLY_DIGITS.test(year));
  const isLife = active === undefined && !isAncient && (born ?? died ?? dash) !== undefined;
  return {
    birthDate: isLife && died === undefined ? first : undefined,
    deathDate: isLife ? (died === undefined ? second : first) : undefined,
  };
}
