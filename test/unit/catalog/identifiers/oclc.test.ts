import { describe, expect, it } from "vitest";
import { normalizeOclc } from "../../../../src/catalog/identifiers/control-numbers.ts";

describe("normalizeOclc", () => {
  it.each([
    ["00012345", "12345"],
    ["ocm00081058130", "81058130"],
    ["(OCoLC)263296519", "263296519"],
    ["ocn316034079", "316034079"],
    ["on1012345678", "1012345678"],
    ["12345", "12345"],
    [" 12345 ", "12345"],
    ["OCM00012345", "12345"],
    ["(ocolc) 12345", "12345"],
    ["(OCoLC)ocm00012345", "12345"],
    ["12345a", "12345a"],
    [" ocx12345 ", "ocx12345"],
    ["000", "000"],
    ["on", "on"],
    ["１２", "１２"],
  ])("%j: %s", (input, value) => expect(normalizeOclc(input)).toBe(value));

  it.each(["", "  "])("%j is nothing", (input) => expect(normalizeOclc(input)).toBeUndefined());

  it("leaves its own results alone", () => {
    for (const input of ["00012345", "(OCoLC)263296519", "12345a"]) {
      const once = normalizeOclc(input)!;
      expect(normalizeOclc(once)).toBe(once);
    }
  });
});
