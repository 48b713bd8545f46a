// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { ListParameters } from './shared.ts';

/** What is left of a deleted object. */
export type DeletedTestClock = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'test_clock';
  /** The object is gone. */
  deleted: true;
};

/** A clock of test mode. */
export type TestClock = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'test_clock';
  /** A name for people. */
  name?: string;
  /** Where the clock is; while it advances, how far it has come. In UTC epoch seconds. */
  frozen_time: number;
  /** `ready`: it stands still. `advancing`: what is due happens, and its customers cannot be changed. */
  status: 'ready' | 'advancing';
  /** When the clock was created, in real time. In UTC epoch seconds. */
  created: number;
};

export type TestClocksAdvanceParameters = {
  /** Where the clock is advanced to, in UTC epoch seconds: later than the clock is, by ten years at most. */
  frozen_time: number;
};

export type TestClocksCreateParameters = {
  /** Where the clock begins, in UTC epoch seconds: from the year 2000 to the beginning of 2100. */
  frozen_time: number;
  /** A name for people, up to 256 characters. */
  name?: string | undefined;
};

export type TestClocksListParameters = ListParameters & {
  /** Only the one with this id, or those with these: at most 100. */
  ids?: string | Array<string> | undefined;
};
