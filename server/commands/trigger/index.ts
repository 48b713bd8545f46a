import { closest } from '../../base/closest.ts';
import type { ApiAnswer, ApiClient } from '../api/client.ts';
import { type ApiOptions, withClient } from '../api/run.ts';
import { print } from '../print.ts';
import { UsageError } from '../usage.ts';
import { recipes } from './recipes.ts';
import { Steps, type Tell } from './steps.ts';

const types = Object.keys(recipes).sort();

/** Causes an event in test mode by the real operations that lead to it. Without a type, it lists all types. */
export async function trigger(type: string | undefined, options: ApiOptions): Promise<void> {
  if (type === undefined) {
    print(options.json, types, () => types.join('\n'));
    return;
  }
  const tell: Tell = options.json ? () => {} : (line) => console.log(`  ${line}`);
  const event = await withClient(options, (client) => cause(type, client, tell));
  print(options.json, event, () => `${event.type}  ${event.id}`);
}

/** The event, once it exists. */
export async function cause(type: string, client: ApiClient, tell: Tell): Promise<ApiAnswer> {
  const recipe = recipes[type];
  if (recipe === undefined) throw new UsageError(noSuchType(type));
  const steps = new Steps(client, tell);
  const id = await recipe(steps);
  return steps.find('/events', { type, limit: '100' }, ({ data }) =>
    data.find(({ data: { object } }: ApiAnswer) => object.id === id || object.payment === id),
  );
}

function noSuchType(type: string): string {
  const near = closest(type, types);
  const hint = near === undefined ? '' : ` (is ${near} meant?)`;
  return `There is no such type of event${hint}; "tollgate trigger" lists them all`;
}
