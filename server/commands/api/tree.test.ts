import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { abouts, operations } from '../../catalog.ts';
import { readForm } from '../../http/reading/body/form.ts';
import { checkParameters } from '../../http/reading/parameters.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { wordsOf } from '../cli.fixture.ts';
import { program } from '../cli.ts';
import { notesOf } from '../command.ts';
import type { Pair } from './flags.ts';

/** The request that a command line stands for. */
async function requestOf(...args: string[]) {
  const sent: [AnyOperation, string | undefined, readonly Pair[]][] = [];
  const run = async (...[operation, id, pairs]: (typeof sent)[number]) => void sent.push([operation, id, pairs]);
  await program({ operations, abouts }, args, run as never).parseAsync(args, { from: 'user' });
  const [operation, id, pairs] = sent[0]!;
  const form = new URLSearchParams(pairs.map(({ name, value }): [string, string] => [name, value])).toString();
  const parameters = readForm(form, operation.input as never);
  return { operation, id, parameters };
}

function leavesOf(command: Command): Command[] {
  return command.commands.flatMap((one) => (one.commands.length > 0 ? leavesOf(one) : [one]));
}

const leaves = leavesOf(program({ operations, abouts }));
const pathOf = (command: Command): string[] =>
  command.parent === null ? [] : [...pathOf(command.parent), command.name()];

describe('flags', () => {
  test('become the parameters of the request', async () => {
    const card = ['--card.number', '4242424242424242', '--card.exp-month', '12', '--card.exp-year', '2035'];
    const { operation, parameters } = await requestOf('payment-methods', 'create', '--type', 'card', ...card);
    expect(operation.name).toBe('payment_methods.create');
    expect(parameters).toEqual({ type: 'card', card: { number: '4242424242424242', exp_month: 12, exp_year: 2035 } });
  });

  const cases: [what: string, line: string, parameters: object][] = [
    [
      'a list by repeating',
      "webhook_endpoints create --enabled-events 'a.*' --enabled-events b",
      { enabled_events: ['a.*', 'b'] },
    ],
    [
      'a list of objects by positions',
      'subscriptions create --items.0.price one --items.1.price two --items.1.quantity 3',
      { items: [{ price: 'one' }, { price: 'two', quantity: 3 }] },
    ],
    [
      'lists in a list of objects',
      'routing update --rules.0.when.currency eur --rules.0.when.currency usd --rules.0.use pa_1 --rules.0.use pa_2',
      { rules: [{ when: { currency: ['eur', 'usd'] }, use: ['pa_1', 'pa_2'] }] },
    ],
    ['metadata', 'customers create --metadata order=7 --metadata a=b=c', { metadata: { order: '7', a: 'b=c' } }],
    ['anything with -d', "customers create -d 'metadata[x]=1' -d name=Ada", { metadata: { x: '1' }, name: 'Ada' }],
    ['a date for a moment', 'test_clocks create --frozen-time 2035-01-31', { frozen_time: 2_053_814_400 }],
    ['seconds for a moment', 'test_clocks create --frozen-time 2053814400', { frozen_time: 2_053_814_400 }],
    ['a word in place of a moment', 'subscriptions update sub_1 --trial-end now', { trial_end: 'now' }],
    ['a filter', 'payments list --created.gte 2035-01-31 --limit 3', { created: { gte: 2_053_814_400 }, limit: 3 }],
    ['an empty value that clears', "customers update cus_1 --email ''", { email: null }],
  ];
  test.each(cases)('take %s', async (_, line, parameters) => {
    expect((await requestOf(...wordsOf(line))).parameters).toEqual(parameters);
  });

  test('are refused where a name is missing, without repeating what was given', async () => {
    await expect(requestOf('customers', 'create', '--metadata', 'sk_live_secret')).rejects.toThrow(
      /^--metadata takes a name and a value: name=value$/,
    );
  });
});

/** They are tried in api.test.ts and wind_down.test.ts. */
const handMade = ['test_clocks.advance', 'events.resend', 'refunds.create'];

describe('of the operations,', () => {
  test('each is a command whose example is accepted', async () => {
    for (const operation of operations) {
      const { name, route } = operation;
      if (handMade.includes(name)) continue;
      const command = leaves.find((one) => pathOf(one).join('.') === name)!;
      const { operation: found, id, parameters } = await requestOf(...wordsOf(notesOf(command).example!).slice(1));
      expect(found).toBe(operation);
      expect(id).toBe(route.includes(':id') ? '<id>' : undefined);
      checkParameters(operation, parameters as never, { now: Date.UTC(2027, 1, 10), mode: 'test' });
    }
  });

  test('each has a flag for each of its parameters', () => {
    for (const operation of operations) {
      const command = leaves.find((one) => pathOf(one).join('.') === operation.name)!;
      const flags = command.options.map(({ long }) => long!.slice(2).replaceAll('-', '_'));
      for (const name of Object.keys((operation.input as { properties: object }).properties))
        expect(flags.filter((flag) => flag === name || flag.startsWith(`${name}.`))).not.toEqual([]);
    }
  });
});
