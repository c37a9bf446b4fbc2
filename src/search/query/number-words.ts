import { fold } from "../text/collation.ts";

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

const UNITS = (
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen " +
  "eighteen nineteen"
).split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const SPELT_MAX = 999_999;
const ROMAN_MAX = 39;
const ROMAN_TENS = ["", "x", "xx", "xxx"];
const ROMAN_UNITS = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"];
const INTEGER = /^\d{1,6}$/;

/**
 * Returns the other forms of a folded number, each as its words: of `39`, `thirty nine` and `xxxix`, of `3` also `drei` and
 * `third`, of `five`, `5`. In English up to a million, in other languages up to twelve.
 */
export function otherFormsOfNumber(word: string): string[][] {
  const counted = NUMBER_WORDS.get(word);
  if (counted !== undefined) return [[String(counted)]];
  if (!INTEGER.test(word)) return [];
  const number = Number(word);
  if (number === 0 || number > SPELT_MAX) return [];
  const others = [...NUMBER_WORDS].filter(([, other]) => other === number).map(([other]) => [other]);
  const roman = `${ROMAN_TENS[Math.floor(number / 10)]}${ROMAN_UNITS[number % 10]}`;
  return [...englishFormsOf(number), ...others, ...(number <= ROMAN_MAX ? [[roman]] : [])];
}

/** Returns the number of two folded words such as `twenty two`; undefined for others. */
export function numberOfPair(first: string, second: string): string | undefined {
  const [tens, unit] = [TENS.indexOf(first), UNITS.slice(0, 9).indexOf(second)];
  return tens === -1 || unit === -1 ? undefined : String(10 * (tens + 2) + unit + 1);
}

/** Returns a number in English words, also without `one` at the start, and a year by its two halves. */
function englishFormsOf(number: number): string[][] {
  const [thousands, rest] = [Math.floor(number / 1000), number % 1000];
  const words =
    thousands === 0
      ? hundredsOf(rest)
      : [
          ...hundredsOf(thousands),
          "thousand",
          ...(rest > 0 && rest < 100 ? ["and"] : []),
          ...hundredsOf(rest),
        ];
  const isYear = number > 1100 && number < 2100 && number % 100 > 9;
  return [
    words,
    ...(words[0] === "one" && words.length > 1 ? [words.slice(1)] : []),
    ...(isYear ? [[...tensOf(Math.floor(number / 100)), ...tensOf(number % 100)]] : []),
  ];
}

function hundredsOf(number: number): string[] {
  const [hundreds, rest] = [Math.floor(number / 100), number % 100];
  if (hundreds === 0) return tensOf(rest);
  return [...tensOf(hundreds), "hundred", ...(rest > 0 ? ["and"] : []), ...tensOf(rest)];
}

function tensOf(number: number): string[] {
  if (number <= UNITS.length) return UNITS.slice(number - 1, number);
  const [tens, unit] = [Math.floor(number / 10), number % 10];
  return [...TENS.slice(tens - 2, tens - 1), ...UNITS.slice(unit - 1, unit)];
}
