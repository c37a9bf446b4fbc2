import { describe, expect, it } from "vitest";
import { parseBranch, branchesOf } from "../../../../src/catalog/lending/library.ts";

const LINE = "Main|1 High St|Oakland|CA|94612|US|+1 510|http://main.example|37.8,-122.27";

describe("parseBranch", () => {
  it("reads nine fields", () => {
    expect(parseBranch(` ${LINE.replace("High St", "High\t St")} `)).toEqual({
      name: "Main",
      street: "1 High St",
      city: "Oakland",
      state: "CA",
      zip: "94612",
      country: "US",
      telephone: "+1 510",
      website: "http://main.example",
      coordinates: { latitude: "37.8", longitude: "-122.27" },
    });
  });

  it.each(["37.8", "37.8,", "37.8,-122.27,1", "91,0", "0,181", "1e1,0", "a,b", "0x1,0"])(
    "refuses the coordinates %j",
    (place) => {
      expect(parseBranch(`Main||||||||${place}`)).toBeUndefined();
    },
  );

  it.each(["90,180", "-90,-180", " +1.5 , -2 ", "0,0"])("accepts the coordinates %j", (place) => {
    expect(parseBranch(`Main||||||||${place}`)?.coordinates).toBeDefined();
  });

  it("requires nine fields, with optional coordinates", () => {
    expect(parseBranch("Main||||||||")).toMatchObject({ name: "Main", coordinates: undefined });
    expect(parseBranch("Main|||||||")).toBeUndefined();
    expect(parseBranch(`${LINE}|`)).toBeUndefined();
  });
});

it("branchesOf skips invalid lines", () => {
  expect(branchesOf(`${LINE}\r\n\r\nnone\n${LINE}`)).toHaveLength(2);
});
