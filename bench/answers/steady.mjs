/** What the recorder and the worker that it asks have to agree on. */

/** Header of the time at which a request is made, in milliseconds since the epoch. */
export const TIME_HEADER = "X-Answers-Time";
/** Header of the question whether everything that requests have set going is done. */
export const WAIT_HEADER = "X-Answers-Wait";
/** When everything begins. In the future, so that alarms of the runtime, which has another clock, never ring. */
export const BEGIN_MS = Date.UTC(2030, 10, 22, 10);
/** How long after one request the next one is made. */
export const STEP_MS = 1000;
