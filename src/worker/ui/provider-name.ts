/** How places that offer whole books call themselves, by their names in identifiers. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["cita_press", "Cita Press"],
  ["ia", "the Internet Archive"],
  ["librivox", "LibriVox"],
  ["openstax", "OpenStax"],
  ["project_gutenberg", "Project Gutenberg"],
  ["project_runeberg", "Project Runeberg"],
  ["standard_ebooks", "Standard Ebooks"],
  ["wikisource", "Wikisource"],
]);

export function providerName(name: string): string {
  return NAMES.get(name) ?? name.replaceAll("_", " ");
}
