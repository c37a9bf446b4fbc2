import { afterEach, vi } from "vitest";

/** Responses of other services, by address; all other addresses are unreachable. */
export type Answers = Record<string, (init: RequestInit) => Response | Promise<Response>>;

/** Stands for the network as long as a test runs: the addresses that were asked for, in order. */
export function fakeNetwork() {
  let answers: Answers = {};
  const asked: string[] = [];
  const fake = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const address = input instanceof Request ? input.url : String(input);
    asked.push(address);
    const answer = answers[address];
    if (answer === undefined) throw new TypeError("Network connection lost.");
    return answer(init);
  };
  afterEach(() => {
    vi.restoreAllMocks();
    asked.length = 0;
  });
  return {
    asked,
    /** From here on others answer so. */
    answer(next: Answers): void {
      answers = next;
      vi.spyOn(globalThis, "fetch").mockImplementation(fake);
    },
  };
}
