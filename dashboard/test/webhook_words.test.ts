import { describe, expect, test } from 'vitest';
import { eventTypes } from '../src/generated/catalog.ts';
import { localMinute, secondsOf } from '../src/kit/local_time.ts';
import { endpointTitle } from '../src/nouns/endpoint_names.ts';
import { eventsInWords, findFamilies, withChosen } from '../src/nouns/event_types.ts';
import { changesOf, urlProblem } from '../src/pages/webhooks/fields.ts';

describe('the choice of events', () => {
  test('has every type', () => {
    expect(findFamilies('').flatMap(({ types }) => types)).toHaveLength(eventTypes.length);
  });

  test.each([
    ['refund', ['refund.*', 'payment.*'], ['refund.created', 'refund.updated', 'refund.failed', 'payment.refunded']],
    ['trial will', ['subscription.*'], ['subscription.trial_will_end']],
    ['customer.cre', ['customer.*'], ['customer.created', 'customer.credit_balance_updated']],
    ['DISPUTE', ['dispute.*'], ['dispute.created', 'dispute.updated', 'dispute.closed']],
    ['nothing', [], []],
  ])('finds %s', (search, families, types) => {
    const found = findFamilies(search);
    expect(found.map(({ family }) => family).sort()).toEqual([...families].sort());
    expect(found.flatMap((one) => one.types).sort()).toEqual([...types].sort());
  });

  test('a family stands for its types, and only for its own', () => {
    const chosen = withChosen(['payment.failed', 'payment_method.updated'], 'payment.*', true);
    expect(chosen).toEqual(['payment.*', 'payment_method.updated']);
    expect(withChosen(chosen, 'payment.*', false)).toEqual(['payment_method.updated']);
    expect(withChosen(['refund.failed'], 'refund.created', true)).toEqual(['refund.created', 'refund.failed']);
  });

  test.each([
    [['*'], 'All events'],
    [['payment.*'], 'payment.*'],
    [['a.b', 'c.d', 'e.f', 'g.h'], 'a.b, c.d and 2 more'],
    [[], ''],
  ])('%j in words', (enabled, words) => expect(eventsInWords(enabled)).toBe(words));
});

const long = `https://a.example/${'hook/'.repeat(40)}`;
test.each([
  [{ url: long, description: ' Warehouse ' }, 'Warehouse'],
  [{ url: 'https://a.example/hook', description: ' ' }, 'https://a.example/hook'],
  [{ url: 'inbox:inb_1' }, 'Inbox inb_1'],
  [{ url: long }, `${long.slice(0, 80)}…`],
])('the page of %o has the title %s', (endpoint, title) => expect(endpointTitle(endpoint)).toBe(title));

describe('the fields of an endpoint', () => {
  const before = {
    url: 'https://a.example/hook',
    enabled_events: ['customer.*', 'payment.*'],
    description: 'Orders',
  };
  const same = { url: before.url, description: before.description };

  test.each([
    [{ ...same, enabled_events: ['payment.*', 'customer.*'] }, undefined],
    [
      { ...same, url: ' https://b.example/ ', enabled_events: [...before.enabled_events] },
      { url: 'https://b.example/' },
    ],
    [{ ...same, description: '', enabled_events: [...before.enabled_events] }, { description: null }],
    [{ ...same, enabled_events: ['*'] }, { enabled_events: ['*'] }],
  ])('%j: only what is another is sent', (fields, changes) => expect(changesOf(before, fields)).toEqual(changes));

  test.each([
    ['https://a.example/hook', 'live', true],
    ['http://a.example/hook', 'live', false],
    ['http://127.0.0.1:3000', 'test', true],
    ['inbox:ibx_1', 'test', false],
    ['javascript:alert(1)', 'test', false],
    ['a.example', 'test', false],
    ['', 'test', false],
  ] as const)('%s in %s mode', (url, mode, isGood) => expect(urlProblem(url, mode) === undefined).toBe(isGood));

  test('a moment in an input is that of the browser, to the minute', () => {
    const seconds = 1_794_844_800;
    expect(secondsOf(localMinute(seconds))).toBe(seconds);
    expect(secondsOf(localMinute(seconds + 59))).toBe(seconds);
    expect(secondsOf('')).toBeUndefined();
  });
});
