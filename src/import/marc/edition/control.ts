import { type MarcFields, type Members, put, values } from "./fields.ts";
import { distinct, trimmer, withoutNumberDot } from "./text.ts";

const CODE_LETTERS = 3;
const GAPS = /[ -]/g;
const NOT_A_LANGUAGE = "zxx";
/** Codes in 008 that mean no language. */
const NO_LANGUAGE = new Set(["   ", "###", "|||", "", "???", NOT_A_LANGUAGE, "n/a"]);

/** Current codes for withdrawn codes and for codes that catalogues confuse. */
const CURRENT_CODE: ReadonlyMap<string, string> = new Map(
  (
    "ser=srp,end=eng,enk=eng,ent=eng,jap=jpn,fra=fre,fle=dut,fr =fre,it =ita,cam=khm,esp=epo,eth=gez,far=fao," +
    "fri=fry,gae=gla,gag=glg,gal=orm,gua=grn,int=ina,iri=gle,lan=oci,lap=smi,mla=mlg,mol=rum,sao=smo,scc=srp," +
    "scr=hrv,sho=sna,snh=sin,sso=sot,swz=ssw,tag=tgl,taj=tgk,tar=tat,tsw=tsn"
  )
    .split(",")
    .map((pair): [string, string] => [pair.slice(0, CODE_LETTERS), pair.slice(-CODE_LETTERS)]),
);

/**
 * Returns the languages of the text: the one in 008, then those in 041, which may contain several codes without a gap.
 */
function languages(fields: MarcFields, coded = ""): string[] {
  const main = coded.toLowerCase();
  // With a 7 the codes come from another list, named in the field.
  const texts = fields.of("041").flatMap((field) => (field.ind2 === "7" ? [] : values(field, "a")));
  return distinct([...(NO_LANGUAGE.has(main) ? [] : [main]), ...texts.flatMap(codesIn)]).map(current);
}

/** Returns the languages of the originals, with possible duplicates. */
function translatedFrom(fields: MarcFields): string[] {
  const originals = fields.of("041").flatMap((field) => values(field, "h"));
  const codes = originals.filter(({ length }) => length === CODE_LETTERS).map((code) => code.toLowerCase());
  return codes.filter((code) => code !== NOT_A_LANGUAGE).map(current);
}

/** Splits `engfre` into English and French. Returns no codes if the text cannot be split into codes. */
function codesIn(value: string): string[] {
  const joined = value.replace(GAPS, "");
  if (joined.length % CODE_LETTERS !== 0) return [];
  const codes = Array.from({ length: joined.length / CODE_LETTERS }, (_, index) =>
    joined.slice(index * CODE_LETTERS, (index + 1) * CODE_LETTERS).toLowerCase(),
  );
  return codes.filter((code) => code !== NOT_A_LANGUAGE);
}

function current(code: string): string {
  return CURRENT_CODE.get(code) ?? code;
}

const YEAR = /^\d+u*$/;
const YEAR_DIGITS = 4;
const NO_YEARS = new Set(["0000", "9999"]);
const NO_COUNTRIES = new Set(["|||", "   ", "\u0001\u0001\u0001", "???"]);
const BRACKETS = trimmer("[]");
const NO_DATE = new Set(["n.d.", "s.d."]);

/** Adds dates, country and languages from the coded field 008, or from other fields if it is missing. */
export function putControlMembers(members: Members, fields: MarcFields): void {
  // An invalid byte takes one position, as in the record.
  const coded = fields.control("008")?.replaceAll("\uFFFD", " ");
  if (coded === undefined) put(members, "publish_date", printedDate(fields));
  else putCoded(members, fields, coded);
  put(members, "languages", languages(fields, coded?.slice(35, 38)));
  put(members, "translated_from", translatedFrom(fields));
}

function putCoded(members: Members, fields: MarcFields, coded: string): void {
  const kind = coded.charAt(6);
  const [first, second] = [coded.slice(7, 11), coded.slice(11, 15)];
  const codedYear = isYear(first) ? first : undefined;
  // A reprint has its own year first. If it comes second, the printed date is used, if there is one.
  const isSwapped = kind === "r" && second > first;
  const year = isSwapped || codedYear === undefined ? (printedDate(fields) ?? codedYear) : codedYear;
  put(members, "publish_date", year);
  // Q311: the value is taken as is, even blanks.
  if (kind === "t") put(members, "copyright_date", second);
  const country = coded.slice(15, 18);
  if (!NO_COUNTRIES.has(country)) put(members, "publish_country", country.trim());
}

/** Returns true for a four-digit year. Q310: `19uu` is a year; so is 9998, but neither 0000 nor 9999. */
function isYear(text: string): boolean {
  return text.length === YEAR_DIGITS && YEAR.test(text) && !NO_YEARS.has(text);
}

/** Returns the date as printed in the book: the first of all fields 260. 264 is not used (Q312). */
function printedDate(fields: MarcFields): string | undefined {
  for (const field of fields.of("260")) {
    const [date] = values(field, "c");
    if (date === undefined) continue;
    const bare = BRACKETS(date);
    return NO_DATE.has(bare.toLowerCase()) ? "[n.d.]" : withoutNumberDot(bare) || undefined;
  }
  return undefined;
}
