import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { errorCode } from '../base/errors.ts';
import type { Mode } from '../base/reads.ts';
import { inWords, type RoutingRule } from '../resources/payments/routing/rule.ts';
import { withOperator } from './operator.ts';
import { print } from './print.ts';
import { UsageError } from './usage.ts';

type RoutingOptions = { account: string; live?: boolean; json?: boolean };
type ShownRouting = { object: 'routing'; rules: RoutingRule[] };

const modeOf = ({ live }: RoutingOptions): Mode => (live ? 'live' : 'test');

export async function show(options: RoutingOptions): Promise<void> {
  const call = { account: options.account, mode: modeOf(options) };
  const found = await withOperator((operator) => operator.run<ShownRouting>('routing.retrieve', call));
  print(options.json, found, () => inLines(found));
}

/** The rules come from a file, because a shell is a bad place to write JSON. */
export async function set(options: RoutingOptions & { rules: string }): Promise<void> {
  const parameters = { rules: await readRules(options.rules) };
  const call = { account: options.account, mode: modeOf(options), parameters };
  const stored = await withOperator((operator) => operator.run<ShownRouting>('routing.update', call));
  print(options.json, stored, () => inLines(stored));
}

async function readRules(source: string): Promise<unknown> {
  const given = source === '-' ? await text(process.stdin) : readFile(source);
  try {
    const value = JSON.parse(given);
    return Array.isArray(value) ? value : value.rules;
  } catch {
    throw new UsageError(
      '--rules takes JSON: a list of rules, such as [{"when": {"currency": ["eur"]}, "use": ["pa_…"]}]',
    );
  }
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`--rules names ${path}, which cannot be read (${errorCode(error)})`);
  }
}

function inLines({ rules }: ShownRouting): string {
  if (rules.length === 0) return 'There are no rules: the enabled processor accounts are tried, oldest first.';
  return rules.map(({ when = {}, use }, at) => `rule ${at + 1}: ${inWords(when)} → ${use.join(', then ')}`).join('\n');
}
