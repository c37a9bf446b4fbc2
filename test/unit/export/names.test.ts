import { describe, expect, it } from "vitest";
import { type Agent, agentRoleOf, namePartsOf, sortedNameOf } from "../../../src/export/agents.ts";

const person = (name: string, ...otherNames: string[]): Agent => ({
  name,
  kind: "person",
  role: undefined,
  personalName: undefined,
  otherNames,
  born: undefined,
  died: undefined,
  lived: undefined,
  url: undefined,
  numbers: [],
});

describe("names", () => {
  it.each([
    [person("Jane Austen"), "Austen, Jane"],
    [person("J. R. R. Tolkien"), "Tolkien, J. R. R."],
    [person("Simone de Beauvoir"), "Beauvoir, Simone de"],
    [person("Miguel de la Cruz"), "Cruz, Miguel de la"],
    [person("Ludwig van Beethoven (composer)"), "Beethoven, Ludwig van"],
    [person("Simone de Beauvoir", "Beauvoir, Simone de"), "Beauvoir, Simone de"],
    [person("Miguel de la Cruz", "Cruz, Miguel de la"), "Cruz, Miguel de la"],
    [person("Martin Van Buren"), "Van Buren, Martin"],
    [person("Martin Luther King, Jr."), "King, Martin Luther, Jr."],
    [person("Martin Luther King Jr."), "King, Martin Luther, Jr."],
    [person("Oscar de La Hoya"), "La Hoya, Oscar de"],
    [person("Austen, Jane"), "Austen, Jane"],
    [person("Gabriel García Márquez"), "Márquez, Gabriel García"],
    [person("Gabriel García Márquez", "García Márquez, Gabriel"), "García Márquez, Gabriel"],
    [person("Plato"), "Plato"],
    [person("Elizabeth II"), "Elizabeth II"],
    [person("Pope John Paul II"), "Pope John Paul II"],
    [person("村上 春樹"), "村上 春樹"],
    [person("Oxford University Press"), "Oxford University Press"],
    [
      { ...person("Brookings Institution, Washington, D.C."), kind: "org" as const },
      "Brookings Institution, Washington, D.C.",
    ],
  ])("%o", (agent, sorted) => {
    expect(sortedNameOf(agent)).toBe(sorted);
  });

  it("are split once", () => {
    expect(namePartsOf(person("Ludwig van Beethoven"))).toEqual({
      family: "Beethoven",
      given: "Ludwig",
      particle: "van",
      suffix: "",
    });
    expect(namePartsOf(person(""))).toBeUndefined();
  });

  it.each([
    [undefined, "author"],
    ["Author", "author"],
    ["Author of introduction", "contributor"],
    ["Compiler", "author"],
    ["Editor", "editor"],
    ["Translated by", "translator"],
    ["Illustrator", "illustrator"],
    ["Narrator", "contributor"],
  ])("%s is the part of an %s", (role, part) => {
    expect(agentRoleOf({ role })).toBe(part);
  });
});
