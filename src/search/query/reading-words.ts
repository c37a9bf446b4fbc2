import { fold } from "../text/collation.ts";

/** Returns the folded words of some texts. */
function wordSet(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => fold(text).split(" ")));
}

/** Articles before a title, by language. */
export const ARTICLES = wordSet([
  "the a an", // English
  "der die das den dem des ein eine einen einem einer eines", // German
  "le la les l un une des du", // French
  "el la los las lo un una unos unas", // Spanish
  "il lo la i gli le un uno una", // Italian
  "o a os as um uma uns umas unha", // Portuguese, Galician
  "de het een 't 'n", // Dutch, Afrikaans
  "en ett et den det de ei eit", // Swedish, Danish, Norwegian
  "els les en na es sa", // Catalan
  "egy az", // Hungarian
  "cel cea cei cele", // Romanian
  "ο η το οι τα τον την του της των ένας μια ένα", // Greek
  "bir y yr na ang ka ke di dos", // Turkish, Welsh, Irish, Tagalog, Hawaiian, Yiddish
  "al el ul ha he", // Arabic, Hebrew, in Latin letters
]);
/** Articles that are written as a part of the word: `L’Étranger`, `al-Ayyām`, `ha-Shem`, `الأيام`, `הנביא`. */
export const JOINED_ARTICLE =
  /^(?:(?:l|d|un|gl|n|s|dell|all|nell|dall|sull)['’ʼ‘]|(?:al|el|ul|an|ar|as|ash|at|ad|az|ha|he)[-‐‑–]|ال(?=\p{L}{2})|ה(?=\p{L}{3}))/iu;

/** Words between names, by language, and those that stand for `and`. */
export const JOINS = wordSet(["and with und mit et avec y e con en met og och i si ja και и с و ve ve i és"]);
export const AND_FORMS = wordSet(["an n nd adn amd"]);
/** Words before an author, by language. */
export const BY_WORDS = wordSet(["by written von de par di da por av af door van od przez от من"]);

/** Words for a part of a series or work, by language. */
export const VOLUME_WORDS = wordSet([
  "# no nr № n° nº number volume volumes vol vols v book books bk bks part parts pt pts issue episode ep",
  "band bände bd bde teil tl t buch b folge heft nummer",
  "tome tomes livre partie numéro fascicule",
  "tomo libro parte volumen número entrega",
  "volume libro fascicolo livro",
  "deel dl boek del bok bind bog kirja osa",
  "tom t cz część księga díl svazek kniha část volumul cartea partea kötet könyv rész cilt kitap volum llibre",
  "том т книга кн часть ч выпуск вып",
  "الجزء جزء المجلد مجلد الكتاب كتاب ج جلد",
  "τόμος βιβλίο μέρος כרך ספר חלק jilid buku",
]);
/** Words between a volume and the number of all volumes, or the name of the series. */
export const OF_WORDS = wordSet(["of in from von der de del du di sur van af av из من"]);

/** Numbers in words: each line has the numbers from one on. */
const COUNTED = [
  "one two three four five six seven eight nine ten eleven twelve",
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
  "eins zwei drei vier fünf sechs sieben acht neun zehn",
  "erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte",
  "erster zweiter dritter vierter fünfter sechster siebter achter neunter zehnter",
  "erstes zweites drittes viertes fünftes sechstes siebtes achtes neuntes zehntes",
  "un deux trois quatre cinq six sept huit neuf dix",
  "premier deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième",
  "première seconde",
  "uno dos tres cuatro cinco seis siete ocho nueve diez",
  "primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo",
  "primera segunda tercera cuarta quinta sexta séptima octava novena décima",
  "primer second tercer",
  "uno due tre quattro cinque sei sette otto nove dieci",
  "primo secondo terzo quarto quinto sesto settimo ottavo nono decimo",
  "prima seconda terza quarta quinta sesta settima ottava nona decima",
  "um dois três quatro cinco seis sete oito nove dez",
  "primeiro segundo terceiro quarto quinto sexto sétimo oitavo nono décimo",
  "primeira segunda terceira quarta quinta sexta sétima oitava nona décima",
  "een twee drie vier vijf zes zeven acht negen tien",
  "eerste tweede derde vierde vijfde zesde zevende achtste negende tiende",
  "ett två tre fyra fem sex sju åtta nio tio",
  "första andra tredje fjärde femte sjätte sjunde åttonde nionde tionde",
  "en to tre fire fem seks syv otte ni ti",
  "første anden tredje fjerde femte sjette syvende ottende niende tiende",
  "один два три четыре пять шесть семь восемь девять десять",
  "первый второй третий четвёртый пятый шестой седьмой восьмой девятый десятый",
  "первая вторая третья четвёртая пятая шестая седьмая восьмая девятая десятая",
  "первое второе третье",
  "واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة",
  "الأول الثاني الثالث الرابع الخامس السادس السابع الثامن التاسع العاشر",
  "الأولى الثانية الثالثة الرابعة الخامسة السادسة السابعة الثامنة التاسعة العاشرة",
];
const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  COUNTED.flatMap((line) =>
    fold(line)
      .split(" ")
      .map((word, at): [string, number] => [word, at + 1]),
  ),
);
const ROMAN_DIGITS = new Map([..."ivxlc"].map((digit, at) => [digit, [1, 5, 10, 50, 100][at] ?? 0]));
const ROMAN = /^(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/;
const DIGITS = /^(\d{1,4}(?:[.,/–-]\d{1,4})?)(?:st|nd|rd|th|e|er|ere|re|eme|de|ste|[aoºª°.])?$/;

/** Returns the number that a folded word is, in digits: of `2nd`, `two`, `zweiter`, `II`, `الثاني`; undefined for others. */
export function numberOfWord(word: string): string | undefined {
  const digits = DIGITS.exec(word)?.[1];
  if (digits !== undefined) return digits.replace(/^0+(?=\d)/, "");
  const number = NUMBER_WORDS.get(word) ?? (word !== "" && ROMAN.test(word) ? romanValueOf(word) : undefined);
  return number?.toString();
}

function romanValueOf(word: string): number {
  const values = [...word].map((digit) => ROMAN_DIGITS.get(digit) ?? 0);
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
}

/** Words about an edition or a genre that titles of catalogues lack, by language, and pairs of such words. */
export const EDITION_WORDS = wordSet([
  "novel novels novella memoir memoirs biography autobiography thriller mystery stories poems essays",
  "unabridged abridged revised updated expanded enlarged edition editions ed edn reprint reissue deluxe anniversary",
  "paperback paperbacks hardcover hardback hardbound softcover pbk hbk kindle ebook e-book epub pdf mobi audiobook",
  "audible illustrated annotated bilingual collector's collectors series trilogy",
  "roman romane erzählung erzählungen novelle krimi kriminalroman taschenbuch gebunden gebundene ausgabe auflage aufl",
  "hörbuch ungekürzt ungekürzte gekürzt gekürzte illustriert illustrierte überarbeitet überarbeitete erweiterte reihe",
  "romans récit récits nouvelles broché relié poche édition revue corrigée augmentée illustrée illustré série trilogie",
  "novela novelas cuentos edición ilustrada ilustrado revisada ampliada bolsillo audiolibro trilogía",
  "romanzo romanzi racconti edizione tascabile illustrata illustrato audiolibro trilogia",
  "romance romances contos edição brochura audiolivro",
  "verhalen druk editie gebonden geïllustreerd luisterboek",
  "upplaga utgåva udgave utgave inbunden hæftet heftet innbundet illustrerad noveller romaani painos",
  "regény kiadás powieść wydanie román vydání ediția novel·la edició baskı edisi",
  "роман повесть рассказы издание изд иллюстрированное",
  "رواية طبعة الطبعة روايه μυθιστόρημα έκδοση",
]);
export const EDITION_PAIRS = new Set(
  (
    "large print,mass market,audio cd,movie tie-in,tie in,tapa dura,tapa blanda,letra grande,copertina rigida," +
    "copertina flessibile,graphic novel,capa dura,capa comum,de poche,grands caracteres,special edition,true story,love story"
  ).split(","),
);
