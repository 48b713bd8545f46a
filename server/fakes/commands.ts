import { after } from '../base/timers.ts';
import type { FakeBooks } from './books.ts';
import { type FakeFault, type FakeFaults, fakeFaultKinds } from './faults.ts';
import type { FakeDelivery, FakeNotices } from './notices.ts';
import { FakeRefusal } from './refusal.ts';

/** The JSON object that a command is given. */
export type FakeCommandBody = Readonly<Record<string, unknown>>;

export type FakeCommand = { members: readonly string[]; run(given: FakeCommandBody): object | Promise<object> };

/** What tests and people tell a fake, beside the API that it fakes: by `<method> <path below /_fake>`. */
export type FakeCommands = Readonly<Record<string, FakeCommand>>;

export type FakeControls = {
  books: FakeBooks<unknown>;
  faults: FakeFaults;
  notices: Pick<FakeNotices<unknown>, 'register' | 'deliver'>;
  /** Refuses connections for so long. */
  refuse(ms: number): Promise<void>;
};

/** So that this command is answered before its connection ends. */
const refuseAfterMs = 20;

/** The commands of every fake. */
export function commonCommands(controls: FakeControls): FakeCommands {
  const { books, faults, notices } = controls;
  return {
    'GET /books': { members: [], run: () => ({ effects: books.effects }) },
    'POST /faults': {
      members: ['kind', 'method', 'path', 'skip', 'times', 'probability', 'ms'],
      run: (given) => addFault(controls, given),
    },
    'DELETE /faults': {
      members: [],
      run: () => {
        faults.clear();
        return {};
      },
    },
    'POST /clock': {
      members: ['advance_seconds'],
      run: (given) => {
        books.advance(numberIn(given, 'advance_seconds') * 1_000);
        return { now: books.seconds() };
      },
    },
    'POST /webhooks': {
      members: ['url', 'copies', 'delayMs', 'isHeld', 'order', 'isDropped'],
      run: ({ url, ...change }) => {
        if (url !== undefined) notices.register(textIn({ url }, 'url'));
        notices.deliver(change as Partial<FakeDelivery>);
        return {};
      },
    },
  };
}

function addFault({ faults, refuse }: FakeControls, given: FakeCommandBody): object {
  if (given.kind === 'refuse') {
    const ms = numberIn(given, 'ms');
    after(refuseAfterMs, () => void refuse(ms));
    return {};
  }
  oneOfIn(given, 'kind', fakeFaultKinds);
  faults.add(given as FakeFault);
  return { seed: faults.seed };
}

/** Runs a command, or throws what is wrong with it. */
export async function runCommand(commands: FakeCommands, name: string, body: string): Promise<object> {
  const found = commands[name];
  if (found === undefined)
    throw wrongCommand(`There is no ${name}. There are: ${Object.keys(commands).join(', ')}.`, undefined, 404);
  const given = readJson(body);
  const unknown = Object.keys(given).find((member) => !found.members.includes(member));
  if (unknown !== undefined)
    throw wrongCommand(`${name} has no ${unknown}. It has: ${found.members.join(', ') || 'nothing'}.`, unknown);
  return found.run(given);
}

export function wrongCommand(message: string, param?: string, status = 400): FakeRefusal {
  const error = { type: 'invalid_request_error', message, ...(param === undefined ? {} : { param }) };
  return new FakeRefusal(status, { error }, message);
}

function readJson(text: string): FakeCommandBody {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as FakeCommandBody;
  } catch {
    // said below
  }
  throw wrongCommand('The body must be a JSON object.');
}

export function textIn(given: FakeCommandBody, name: string): string {
  const value = given[name];
  if (typeof value === 'string' && value !== '') return value;
  throw wrongCommand(`${name} must be a text.`, name);
}

export function numberIn(given: FakeCommandBody, name: string): number {
  const value = given[name];
  if (typeof value === 'number' && value >= 0) return value;
  throw wrongCommand(`${name} must be a number that is not negative.`, name);
}

export function oneOfIn<T extends string>(given: FakeCommandBody, name: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === given[name]);
  if (found !== undefined) return found;
  throw wrongCommand(`${name} must be one of ${allowed.join(', ')}.`, name);
}
