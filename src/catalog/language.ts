import { foldLanguageName } from "./matching/match-keys.ts";

const TWO_LETTERS = /^([a-z]{2})/i;

/** Returns the reader's language: `?lang=`, else the cookie, else the first tag of `Accept-Language`, else English. */
export function pickReaderLanguage(sources: readonly (string | null | undefined)[]): string {
  for (const source of sources) {
    const match = source === null || source === undefined ? null : TWO_LETTERS.exec(source);
    if (match?.[1] !== undefined) return match[1].toLowerCase();
  }
  return "en";
}

const PAIRS =
  "aa:aar ab:abk ae:ave af:afr ak:aka am:amh an:arg ar:ara as:asm av:ava ay:aym az:aze ba:bak be:bel bg:bul " +
  "bh:bih bi:bis bm:bam bn:ben bo:tib br:bre bs:bos ca:cat ce:che ch:cha co:cos cr:cre cs:cze cu:chu cv:chv " +
  "cy:wel da:dan de:ger dv:div dz:dzo ee:ewe el:gre en:eng eo:epo es:spa et:est eu:baq fa:per ff:ful fi:fin " +
  "fj:fij fo:fao fr:fre fy:fry ga:gle gd:gla gl:glg gn:grn gu:guj gv:glv ha:hau he:heb hi:hin ho:hmo hr:hrv " +
  "ht:hat hu:hun hy:arm hz:her ia:ina id:ind ie:ile ig:ibo ii:iii ik:ipk io:ido is:ice it:ita iu:iku ja:jpn " +
  "jv:jav ka:geo kg:kon ki:kik kj:kua kk:kaz kl:kal km:khm kn:kan ko:kor kr:kau ks:kas ku:kur kv:kom kw:cor " +
  "ky:kir la:lat lb:ltz lg:lug li:lim ln:lin lo:lao lt:lit lu:lub lv:lav mg:mlg mh:mah mi:mao mk:mac ml:mal " +
  "mn:mon mr:mar ms:may mt:mlt my:bur na:nau nb:nob nd:nde ne:nep ng:ndo nl:dut nn:nno no:nor nr:nbl nv:nav " +
  "ny:nya oc:oci oj:oji om:orm or:ori os:oss pa:pan pi:pli pl:pol ps:pus pt:por qu:que rm:roh rn:run ro:rum " +
  "ru:rus rw:kin sa:san sc:srd sd:snd se:sme sg:sag si:sin sk:slo sl:slv sm:smo sn:sna so:som sq:alb sr:srp " +
  "ss:ssw st:sot su:sun sv:swe sw:swa ta:tam te:tel tg:tgk th:tha ti:tir tk:tuk tl:tgl tn:tsn to:ton tr:tur " +
  "ts:tso tt:tat tw:twi ty:tah ug:uig uk:ukr ur:urd uz:uzb ve:ven vi:vie vo:vol wa:wln wo:wol xh:xho yi:yid " +
  "yo:yor za:zha zh:chi zu:zul";

const MARC = new Map(
  PAIRS.split(" ").map((pair): [string, string] => [pair.slice(0, 2), pair.slice(pair.indexOf(":") + 1)]),
);

/** Returns the MARC code of an ISO 639-1 code, such as `ger` for `de`; `eng` for codes without one. */
export function marcLanguageOf(iso: string): string {
  return MARC.get(iso) ?? "eng";
}

const ISO = new Map([...MARC].map(([iso, marc]): [string, string] => [marc, iso]));

/** Returns the ISO 639-1 code of a MARC code, such as `de` for `ger`. Returns undefined for languages without one. */
export function isoLanguageOf(marc: string): string | undefined {
  return ISO.get(marc);
}

/** Withdrawn ISO 639-1 codes. Serbo-Croatian is Serbian, as in the aliases of Unicode. */
const WITHDRAWN: readonly string[] = ["in:ind", "iw:heb", "ji:yid", "jw:jav", "mo:rum", "sh:srp"];

/** ISO 639-2/T and 639-3 codes and withdrawn codes, also of MARC, whose MARC code differs. */
const OTHER_CODES = new Map(
  (
    "bod:tib ces:cze cym:wel deu:ger ell:gre eus:baq fas:per fra:fre hye:arm isl:ice kat:geo mkd:mac mri:mao msa:may " +
    "mya:bur nld:dut ron:rum slk:slo sqi:alb zho:chi scc:srp scr:hrv mol:rum jap:jpn " +
    "arb:ara cmn:chi pes:per jaw:jav ajm:spa cam:khm esp:epo eth:gez far:fao fri:fry gae:gla gag:glg gal:orm " +
    "gua:grn int:ina iri:gle kus:kos lan:oci lap:smi max:glv mla:mlg sao:smo sho:sna snh:sin sso:sot swz:ssw " +
    "tag:tgl taj:tgk tar:tat tru:chk tsw:tsn"
  )
    .split(" ")
    .map((pair): [string, string] => [pair.slice(0, 3), pair.slice(4)]),
);
/** Pattern of a code, with or without the rest of a tag such as `zh-Hans`. */
const LANGUAGE_TAG = /^([a-z]{2,3})(?:[-_][a-z\d]+)*$/i;
/** Interface languages whose names of languages are understood, besides each language's own name. */
export const NAMING_LANGUAGES = ["en", "de", "fr", "es", "ar"];

let codesByName: ReadonlyMap<string, string> | undefined;

const KEY_FOLDER = /^\/(?:languages|l)\//;

/**
 * Returns the MARC code of a language as people and programs write it: a MARC or ISO 639 code, a tag such as `en-US`, a
 * key, or a name such as `German` or `Deutsch`. Codes of three letters are not checked. Returns undefined for other texts (Q650).
 */
export function marcCodeOf(text: string): string | undefined {
  const trimmed = text.trim().replace(KEY_FOLDER, "");
  const [, primary = ""] = LANGUAGE_TAG.exec(trimmed) ?? [];
  const code = primary.toLowerCase();
  if (code.length === 2) return MARC.get(code) ?? WITHDRAWN.find((pair) => pair.startsWith(code))?.slice(3);
  if (code.length === 3) return OTHER_CODES.get(code) ?? code;
  codesByName ??= buildLanguageNames();
  return codesByName.get(foldLanguageName(trimmed));
}

function buildLanguageNames(): ReadonlyMap<string, string> {
  const codes = new Map<string, string>();
  const naming = NAMING_LANGUAGES.map(displayNamesIn);
  for (const [iso, marc] of MARC) {
    for (const names of [...naming, displayNamesIn(iso)]) {
      const name = names.of(iso);
      if (name !== undefined) codes.set(foldLanguageName(name), marc);
    }
  }
  return codes;
}

export function displayNamesIn(language: string): Intl.DisplayNames {
  return new Intl.DisplayNames([language], { type: "language", fallback: "none" });
}
