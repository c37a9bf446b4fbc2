import type { Book } from "./book.ts";

/**
 * Articles that titles begin with, by the MARC codes of languages, after the list of the Library of Congress:
 * https://www.loc.gov/marc/bibliographic/bdapndxf.html. A `_` is a blank within an article.
 */
const ARTICLES = `
afr: die 'n | alb: një | ara ota per urd: al- el- | arg ast lad spa: el la las lo los un una unas unos
bre: al an ar eul eun eur ul un ur | cat: el els en l' la les un una unes uns | cor: an | cos: a e i l' u un una
dan: de den det en et | dut: de een eene het 'n 't | eng enm sco: a an ane the ye | epo ido: la | fao: ein eitt hin
fil tgl: ang_mga ang mga | fre: l' la le les un une | frr fry: de in it 'e 'n 't | fur: i il l' la lis un une
ger: das dem den der des die ein eine einem einen einer eines 's | gla: a' am an_t- an na | gle: an_t- an na
glg: a as o os un unha unhas uns | glv: ny y yn | gsw: d' de e en es s' | haw: he ka ke na nā o | heb: ha- he-
grc gre: ένα ένας η μια μία ο οι τα το αἱ ἡ οἱ ὁ τὰ τὸ hai hē ho hoi ta to | hun: a az egy | ina: le un
ice: hið hin hina hinar hinir hinn hinna hinnar hinni hins hinu hinum | ita: gl' gli i il l' la le lo un un' una uno
ltz: d' de dem den en eng | mao: he nga ngā te | mlg: ny | mlt: iċ- id- il- in- ir- is- it- ix- iż- l-
nap: 'a 'e l' 'na 'nu 'o | nds: dat de den een | nno nob nor: de dei den det e ei ein eit en et
oci pro: il l' la las le les lo los lou lu un una uno uns | por: a as o os um uma umas uns | roh: il ils in ina l' la las
rum: o un unei unui | scn: a i l' lu na nu u un | srd: is s' sa sas so sos su una unu | swe: de den det en ett
tur: bir | wel: y yr | wln: ene enne l' les li on | yid: a an dem der di die dos א אַ אן אַן דאס דאָס די דעם דער`;

/** Marks in front of an article, which sorting skips too. */
const OPENING = String.raw`[\p{Pi}\p{Ps}"¡¿]*`;
const PATTERNS = new Map(
  ARTICLES.split(/[|\n]/).flatMap((entry) => {
    const [languages = "", articles = ""] = entry.trim().split(": ");
    const forms = articles.replaceAll(/(?<![-'])(?= |$)/g, "_").replaceAll(" ", "|");
    const pattern = forms.replaceAll("_", " ").replaceAll("'", "['‘’ʼ]");
    const article = new RegExp(`^${OPENING}(?:${pattern})(?=\\S)`, "iu");
    return languages.split(" ").map((language) => [language, article] as const);
  }),
);

/**
 * Returns the article of a title, with the blank after it; empty for none: the one that the record states, or one of the
 * first language of the book.
 */
export function articleOf({ title, article, languages: [language = ""] }: Book): string {
  if (article !== undefined && title.startsWith(article)) return article;
  return PATTERNS.get(language)?.exec(title)?.[0] ?? "";
}
