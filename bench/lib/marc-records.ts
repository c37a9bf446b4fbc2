import { marcBytes } from "../../test/support/marc/build-marc.ts";

/** Creates a record of the size and shape that library catalogs have: 1.2 to 1.6 KB, partly not ASCII. */
export function marcRecord(n: number) {
  const names = [
    "Müller, Jörg",
    "Nováková, Božena",
    "Smith, John",
    "García Márquez, Gabriel",
    "Durand, Renée",
  ];
  const name = names[n % names.length] ?? "";
  const isbn = isbn10(100_000_000 + (n % 800_000_000));
  const fields = [
    `001 ocm${String(n).padStart(8, "0")}`,
    "003 OCoLC",
    "005 20250101000000.0",
    `008 820506s19${String(80 + (n % 20))}    nyua     b    001 0 eng  cam   `,
    `010   ‡a   ${80_000_000 + n} `,
    `020   ‡a${isbn} (pbk.) :‡c$24.95`,
    `035   ‡a(OCoLC)ocm${n}`,
    "040   ‡aDLC‡cDLC‡dOCoLC",
    `050 00‡aQA76.${n % 90}‡b.M${n % 1000} 1985`,
    `082 00‡a005.${n % 1000}‡219`,
    `100 1 ‡a${name},‡d19${10 + (n % 80)}-`,
    `245 14‡aThe measured book number ${n} :‡ba study of catalogs and readers /‡c${name}`,
    `246 30‡aMeasured book ${n}`,
    "250   ‡a2nd ed., rev. and enl.",
    `260   ‡aNew York, N.Y. :‡bPress of ${n % 500},‡cc19${80 + (n % 20)}.`,
    `300   ‡axvi, ${100 + (n % 900)} p. :‡bill. ;‡c24 cm.`,
    `490 1 ‡aStudies in measuring ;‡v${n % 40}`,
    "500   ‡aIncludes index, with notes on every chapter and the names of all who helped.",
    `504   ‡aBibliography: p. ${200 + (n % 100)}-${300 + (n % 100)}.`,
    "505 0 ‡aBeginnings -- Growth of the catalog -- Élan vital -- Readers and writers -- Ends.",
    "520   ‡aA long look at how books are described, found and lent, over several centuries.",
    "650  0‡aLibrary catalogs‡xHistory‡y20th century.",
    "650  0‡aCataloging‡zUnited States‡vHandbooks, manuals, etc.",
    "651  0‡aZürich (Switzerland)‡xSocial life and customs.",
    "700 1 ‡aOkafor, Ngozi,‡d1950-‡eed.",
    "710 2 ‡aInstitute for Measured Things.‡bLibrary.",
    `856 42‡3Table of contents‡uhttps://catalog.test/${n}`,
  ];
  return Buffer.from(marcBytes({ fields }));
}

/** Returns the ISBN with these first nine digits. */
function isbn10(body: number) {
  const numbers = [...String(body)].map(Number);
  const check = numbers.reduce((sum, digit, index) => sum + digit * (index + 1), 0) % 11;
  return `${body}${check === 10 ? "X" : check}`;
}
