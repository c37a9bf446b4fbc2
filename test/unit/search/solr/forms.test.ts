import { expect, it } from "vitest";
import { OTHER_FORMS } from "../../../../src/search/solr/forms.ts";

it("CSV guards texts that a spreadsheet would take for formulas, and no numbers (Q234)", () => {
  const docs = [{ title: " =1+1", subject: ["＝2", "b"], publish_year: [-44, 1901], number: -1 }];
  expect(OTHER_FORMS.csv.write({ response: { docs } })).toBe(
    'title,subject,publish_year,number\n\' =1+1,"\'＝2,b","-44,1901",-1\n',
  );
});
