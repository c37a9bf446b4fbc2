import { expect, it } from "vitest";
import {
  attributeOf,
  childElements,
  childrenNamed,
  descendants,
  isElement,
  parseXml,
  elementText,
} from "../../../../src/import/xml/document.ts";

const ROOT = parseXml(`<a xmlns="u" xmlns:p="v" x="1" p:x="2"> <b>1<c>2<d/></c>3</b><p:b>4</p:b><b/></a>`);

it("an element is matched by namespace and name", () => {
  expect([isElement(ROOT, "u", "a"), isElement(ROOT, "v", "a"), isElement(ROOT, "u", "b")]).toEqual([
    true,
    false,
    false,
  ]);
});

it("elements inside are found", () => {
  expect(childElements(ROOT).map(({ name }) => name)).toEqual(["b", "b", "b"]);
  expect(childrenNamed(ROOT, "u", "b").map(elementText)).toEqual(["123", ""]);
  expect([...descendants(ROOT)].map(({ namespace, name }) => namespace + name)).toEqual([
    "ub",
    "uc",
    "ud",
    "vb",
    "ub",
  ]);
});

it("attributes are read by namespace", () => {
  expect([attributeOf(ROOT, "", "x"), attributeOf(ROOT, "v", "x"), attributeOf(ROOT, "u", "x")]).toEqual([
    "1",
    "2",
    undefined,
  ]);
});
