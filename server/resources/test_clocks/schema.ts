import { Type } from '../../base/schema.ts';
import { epochSeconds, Parameters, Shown, Timestamp } from '../shapes.ts';
import { earliestSeconds, latestSeconds, testClockStatuses } from './test_clock.ts';

const frozenTime = (description: string) =>
  Type.Integer({ format: epochSeconds, minimum: earliestSeconds, maximum: latestSeconds, description });

export const NewTestClockInput = Parameters({
  frozen_time: frozenTime('Where the clock begins, in UTC epoch seconds, from 2000 to 2100'),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 256, description: 'A name for people' })),
});

export const AdvanceInput = Parameters({
  frozen_time: frozenTime('Where the clock is advanced to, in UTC epoch seconds; later than now, by ten years at most'),
});

export const TestClockOutput = Shown('TestClock', 'test_clock', {
  name: Type.Optional(Type.String()),
  frozen_time: Timestamp,
  status: Type.String({ enum: [...testClockStatuses] }),
  created: Timestamp,
});

export const DeletedTestClockOutput = Shown('DeletedTestClock', 'test_clock', { deleted: Type.Literal(true) });
