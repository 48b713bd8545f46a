import { ApiError } from '../../base/errors.ts';
import type { Secret } from '../../base/secret.ts';
import { catalog } from '../../catalog.ts';
import type { TailedEvent } from '../../outbox/tail.ts';
import { testEvent } from '../../resources/events/webhook_endpoints/deliveries/delivery.ts';
import { EventChoice } from '../../resources/events/webhook_endpoints/enabled_events.ts';
import type { AccessOptions } from '../api/access.ts';
import { parsePast, UsageError } from '../usage.ts';

const choice = new EventChoice(catalog.eventTypes);

export type ListenOptions = AccessOptions & {
  forwardTo: string;
  events?: string;
  since?: string;
  account?: string;
  secret?: string;
};

/** Gets each event of the wanted types once, in the order of their commits. The next one comes when this one is done. */
export type EventSink = {
  /** Called once, before the first event. `source` names where events come from. */
  begin(secret: Secret, source: string): void;
  event(event: TailedEvent): Promise<void>;
};

export function targetOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new UsageError('--forward-to takes an address such as http://localhost:3000/hook');
}

export function typesWanted(text: string | undefined): Set<string> {
  const listed = text === undefined ? ['*'] : readEvents(text);
  const types = new Set<string>(choice.typesOf(listed));
  // No subscription includes the test event of an endpoint; here it is shown like any other.
  if (['*', 'webhook_endpoint.*', testEvent].some((name) => listed.includes(name))) types.add(testEvent);
  return types;
}

function readEvents(text: string): string[] {
  try {
    const listed = text.split(',').map((one) => one.trim());
    choice.check(listed);
    return listed;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The message is written for the API, where the list has another name.
    throw new UsageError(error.message.replace(`The parameter ${error.param} is invalid`, '--events'));
  }
}

/** Without `--since`, what happens from now on. */
export function startOf(since: string | undefined, now: number): number {
  return since === undefined ? now : parsePast('--since', since, now);
}
