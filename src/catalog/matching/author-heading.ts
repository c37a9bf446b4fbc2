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
/** Last part of a heading, which may be its dates: `, 1775-1817.` or ` (1775-1817)`. */
const LAST_PART = /[,([]\s*([^,()[\]]*)[)\]]?[\s.,;]*$/;
const DIED = String.raw`d\.|died|gest\.|†`;
const DATES = new RegExp(
  String.raw`^(?:(?<born>b\.|born|geb\.|\*)|(?<died>${DIED})|(?<active>active|fl\.))?\s*${yearPattern("first")}?\s*` +
    String.raw`(?<dash>\p{Pd}\s*(?:${DIED})?\s*${yearPattern("second")}?)?[\s.;]*$`,
  "iu",
);
const FULLER_FORM = /\s*\([^()]*\)/g;
const COMMA = /\s*,\s*/;
const TITLES: ReadonlySet<string> = new Set(
  "sir dame lord lady saint st baron baroness count countess earl mr mrs ms dr professor".split(" "),
);
const DOTS = /\./g;
const ONLY_DIGITS = /^\d+$/;

function yearPattern(name: string): string {
  return String.raw`(?:(?:ca?\.?|approximately|about|circa)?\s*(?<${name}>\d{1,4}\s*(?:A\.?\s*D|B\.?\s*C)\.?|\d{3,4})(?:\?| or \d+)?)`;
}

/** Parses a name with what catalogues add to it, such as `Austen, Jane, 1775-1817.`; other names stay (Q653). */
export function parseAuthorHeading(text: string): AuthorHeading {
  const name = text.trim();
  const undated = { name, naturalName: name, birthDate: undefined, deathDate: undefined };
  if (name.length > HEADING_LENGTH_MAX) return undated;
  const [end = "", last = ""] = LAST_PART.exec(name) ?? [];
  const dates = last === "" ? undefined : DATES.exec(last.trim())?.groups;
  const isDated = dates?.["first"] !== undefined || dates?.["second"] !== undefined;
  const rest = isDated ? name.slice(0, -end.length) : name;
  const parts = (rest.includes(",") ? rest.replace(FULLER_FORM, "") : rest)
    .split(COMMA)
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
