import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoTime } from './iso_time.ts';

test('a moment is written as by toISOString, whatever was written before it', () => {
  const moment = fc.oneof(
    fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 }),
    fc.integer({ min: 1_799_999_998_000, max: 1_800_000_001_000 }),
  );
  fc.assert(
    fc.property(moment, (ms) => {
      expect(isoTime(ms)).toBe(new Date(ms).toISOString());
    }),
  );
});
