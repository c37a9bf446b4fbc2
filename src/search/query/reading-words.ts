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
