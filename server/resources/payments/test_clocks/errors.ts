import { apiErrorsOf, type ErrorRows, invalid } from '../../../base/errors.ts';
import { sharedErrors } from '../../../operations/errors.ts';

export const testClockErrors = {
  clock_not_ready: invalid(
    'The test clock {clock} is advancing. Try again when its status is ready.',
    'While a test clock advances, neither the clock nor its customers and what is theirs can be changed by requests. Wait for the event `test_clock.ready`, or retrieve the clock until its status is `ready`, and send the request again with a new Idempotency-Key.',
  ),
} as const satisfies ErrorRows;

export const apiError = apiErrorsOf({ ...sharedErrors, ...testClockErrors });

/** Of a change to an object that may live by a test clock. */
export const clockCodes = apiError.codes('clock_not_ready', 'resource_missing');
