import { expect, test } from "vitest";
import {
  chooseSortingDdc,
  normalizeDdc,
  normalizeDdcPrefix,
} from "../../../../src/search/text/classifications.ts";

const NORMAL: [raw: string, ...forms: string[]][] = [
  ["370.19'342", "370.19342"],
  ["j574", "j574", "574"],
  ["[E]", "[E]"],
  ["[Fic]", "[Fic]"],
  ["658.404 92", "658.404 92"],
  ["658.404 920", "658.404 920"],
  ["942.082 [B]", "942.082 B"],
  ["*657.6", "657.6*"],
  ["*735.29 735.42", "735.29*", "735.42"],
  ["081s", "081 s"],
  ["(015.73)", "015.73 s"],
  ["(015.73) 015.791", "015.73 s", "015.791"],
  ["-222.14", "-222.14"],
  ["-222.14 (927.5)", "-222.14", "927.5 s"],
  ["[320.9777]", "320.9777"],
  ["[016.3584] 012", "016.3584"],
  ["081s [370.19'342]", "081 s", "370.19342"],
  ["C364/.971", "364.971"],
  ["1", "001"],
  ["hello world!"],
  ["978123412341"],
  ["338.9/009171/7 019", "338.90091717"],
  ["[E] 021", "[E]"],
  ["813. 54", "813.54"],
  ["813. 54 (ddc21)", "813.54"],
  ["823/.92 22", "823.92"],
  ["726. 6' 0945' 51 (ddc21)", "726.6"],
  ["813./\u200B54", "813.54"],
  ["616..8/3", "616.83"],
  ["813.54 P38 1995", "813.54"],
  ["21ddc"],
  ["123; 216;", "123", "216"],
  ["[Fic] 813", "[Fic]", "813"],
  ["813/.52/.52", "813.52"],
  ["05", "005"],
  ["j132.452939 [B]", "j132.452939 B", "132.452939 B"],
  ["132.52 153.6", "132.52", "153.6"],
  ["B"],
  ["92", "092"],
  ["813.54x"],
  ["1000.5"],
  [""],
];

const PREFIXES: [prefix: string, normal: string][] = [
  ["0", "0"],
  ["12.3", "012.3"],
  ["12.300", "012.300"],
  ["noise", "noise"],
  ["1.1", "001.1"],
];

test.each(NORMAL)("%j", (raw, ...forms) => expect(normalizeDdc(raw)).toEqual(forms));

test.each(PREFIXES)("prefix %s", (prefix, normal) => expect(normalizeDdcPrefix(prefix)).toBe(normal));

test("sorts by the longest class that starts with a digit", () => {
  expect(chooseSortingDdc(["123", "123.554"])).toBe("123.554");
  expect(chooseSortingDdc(["j123", "123"])).toBe("123");
  expect(chooseSortingDdc(["-222.14", "927.5"])).toBe("927.5");
  expect(chooseSortingDdc(["-222.14"])).toBe("-222.14");
  expect(chooseSortingDdc([])).toBeUndefined();
});

// With expressions that try again from every place, each of these would take minutes.
test.each([
  [".", ["001"]],
  ["1", []],
  ["1.", ["011.1", "001.1"]],
  ["*", ["001*"]],
  ["j", []],
  ["1 ", ["011"]],
  ["[", ["001"]],
])("a very long text of %j is %j", (part, expected) => {
  expect(normalizeDdc(`1${part.repeat(100_000)}!`)).toEqual(expected);
});
