// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

export type DeletedTestClock = {
  id: string;
  object: 'test_clock';
  deleted: true;
};

export type TestClock = {
  id: string;
  object: 'test_clock';
  name?: string;
  /** UTC epoch seconds */
  frozen_time: number;
  status: 'ready' | 'advancing';
  /** UTC epoch seconds */
  created: number;
};

export type TestClocksAdvanceParameters = {
  /** Where the clock is advanced to, in UTC epoch seconds; later than now, by ten years at most */
  frozen_time: number;
};

export type TestClocksCreateParameters = {
  /** Where the clock begins, in UTC epoch seconds, from 2000 to 2100 */
  frozen_time: number;
  /** A name for people */
  name?: string | undefined;
};

export type TestClocksListParameters = {
  /** How many to return; 10 when not given. */
  limit?: number | undefined;
  /** An id: the page begins with the next older object. */
  starting_after?: string | undefined;
  /** An id: the page ends with the next newer object. */
  ending_before?: string | undefined;
  created?:
    | {
        gt?: number | undefined;
        gte?: number | undefined;
        lt?: number | undefined;
        lte?: number | undefined;
      }
    | undefined;
};
