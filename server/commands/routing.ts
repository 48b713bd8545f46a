import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { errorCode } from '../base/errors.ts';
import { inWords, type RoutingRule } from '../resources/payments/routing/rule.ts';
import { operationCommand } from './operator.ts';
import { UsageError } from './usage.ts';

type ShownRouting = { object: 'routing'; rules: RoutingRule[] };

export const show = operationCommand<ShownRouting>('routing.retrieve', { text: inLines });
const update = operationCommand<ShownRouting>('routing.update', { text: inLines });

/** The rules come from a file, because a shell is a bad place to write JSON. */
export async function set({ rules, ...options }: { rules: string }): Promise<void> {
  await update({ ...options, rules: await readRules(rules) });
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
