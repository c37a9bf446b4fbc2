/** What a person did, by relator code or by the abbreviation of older cards (import.md 13.5). */
export const ROLE_LABELS: ReadonlyMap<string, string> = new Map([
  ["art", "Artist"],
  ["aui", "Author of introduction"],
  ["aut", "Author"],
  ["clr", "Colorist"],
  ["com", "Compiler"],
  ["edc", "Editor of compilation"],
  ["edt", "Editor"],
  ["ill", "Illustrator"],
  ["ltr", "Letterer"],
  ["trl", "Translator"],
  ["win", "Writer of introduction"],
  ["wpr", "Writer of preface"],
  ["comp.", "Compiler"],
  ["ed.", "Editor"],
  ["ill.", "Illustrator"],
  ["tr.", "Translator"],
]);
