import { Type } from '../../../base/schema.ts';
import {
  epochSeconds,
  MaybeText,
  Moment,
  OneOf,
  Parameters,
  Shown,
  ShownDeleted,
} from '../../../operations/schemas.ts';
import { serializer, timeInId } from '../../../operations/serializer.ts';
import { eventsAbout } from '../../../outbox/event.ts';
import {
  earliestSeconds,
  latestSeconds,
  type TestClock,
  type testClockEvents,
  testClockStatuses,
} from './test_clock.ts';

const frozenTime = (description: string) =>
  Type.Integer({ format: epochSeconds, minimum: earliestSeconds, maximum: latestSeconds, description });

export const NewTestClockInput = Parameters({
  frozen_time: frozenTime('Where the clock begins, in UTC epoch seconds: from the year 2000 to the beginning of 2100.'),
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, description: 'A name for people, up to 256 characters.' }),
  ),
});

export const AdvanceInput = Parameters({
  frozen_time: frozenTime(
    'Where the clock is advanced to, in UTC epoch seconds: later than the clock is, by ten years at most.',
  ),
});

export const TestClockOutput = Shown('TestClock', 'test_clock', 'A clock of test mode.', {
  name: MaybeText('A name for people.'),
  frozen_time: Moment('Where the clock is; while it advances, how far it has come.'),
  status: OneOf(
    testClockStatuses,
    '`ready`: it stands still. `advancing`: what is due happens, and its customers cannot be changed.',
  ),
  created: Moment('When the clock was created, in real time.'),
});

export const DeletedTestClockOutput = ShownDeleted('DeletedTestClock', 'test_clock');

export const serializeTestClock = serializer<TestClock, typeof TestClockOutput>(TestClockOutput, { created: timeInId });

export const testClockEvent = eventsAbout<keyof typeof testClockEvents, TestClock>(serializeTestClock);
