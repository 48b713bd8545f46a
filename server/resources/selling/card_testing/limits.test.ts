import { describe, expect, test } from 'vitest';
import { type CardTestingLimits, cardTestingDefaults as usual } from '../../people/accounts/card_testing.ts';
import { type Facts, isSessionUsedUp, isSuspicious, refusalOf } from './limits.ts';

const now = 1_800_000_000_000;
const minute = 60_000;
const nothing: Facts = { declines: [], open: 0, cardSessions: [], linkSessions: [] };

/** So many times, a minute apart, the newest a minute ago. */
const times = (count: number) => Array.from({ length: count }, (_, at) => now - (at + 1) * minute);

describe('a try to pay', () => {
  const cases: [what: string, limits: Partial<CardTestingLimits>, facts: Partial<Facts>, refusal: unknown][] = [
    ['without a history', {}, {}, undefined],
    ['after nine declines', {}, { declines: times(9) }, undefined],
    [
      'after ten declines, until the first of them is an hour ago',
      {},
      { declines: times(10) },
      { why: 'declines_per_address', until: now + 50 * minute },
    ],
    [
      'beside tries that may be declined',
      {},
      { declines: times(4), open: 6 },
      { why: 'declines_per_address', until: now + minute },
    ],
    ['beside fewer of them', {}, { declines: times(4), open: 5 }, undefined],
    ['of an address that has no limit', { declines_per_address: 0 }, { declines: [], open: 900 }, undefined],
    ['with a card of two other sessions', {}, { cardSessions: times(2) }, undefined],
    [
      'with a card of three other sessions',
      {},
      { cardSessions: times(3) },
      { why: 'sessions_per_card', until: now + 57 * minute },
    ],
    ['with a card that has no limit', { sessions_per_card: 0 }, { cardSessions: times(9) }, undefined],
    ['in the tenth session of a link', {}, { linkSessions: times(9) }, undefined],
    ['in the eleventh', {}, { linkSessions: times(10) }, { why: 'sessions_per_link_address', until: now }],
    ['of a link that has no limit', { sessions_per_link_address: 0 }, { linkSessions: times(99) }, undefined],
    [
      'with the limit of an account',
      { declines_per_address: 1 },
      { declines: times(1) },
      { why: 'declines_per_address', until: now + 59 * minute },
    ],
  ];
  test.each(cases)('%s', (_, limits, facts, refusal) => {
    expect(refusalOf({ ...usual, ...limits }, { ...nothing, ...facts }, now)).toEqual(refusal);
  });
});

test.each([
  [5, 4, false],
  [5, 5, true],
  [1, 1, true],
  [0, 500, false],
])('with a limit of %i, a session with %i declines takes no more: %s', (declines_per_session, declines, isUsedUp) => {
  expect(isSessionUsedUp({ declines_per_session }, declines)).toBe(isUsedUp);
});

test.each([
  [60, 49, 49, false],
  [60, 50, 30, false],
  [60, 50, 31, true],
  [60, 1_000, 600, false],
  [100, 50, 50, false],
  [99, 50, 50, true],
  [0, 5_000, 5_000, false],
])(
  'with a limit of %i per cent, %i tries with %i declined raise an alarm: %s',
  (decline_share, tries, declined, is) => {
    expect(isSuspicious({ ...usual, decline_share }, { tries, declined })).toBe(is);
  },
);
