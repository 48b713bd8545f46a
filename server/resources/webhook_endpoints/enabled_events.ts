import { refusal } from '../../base/errors.ts';
import { isSpeakable } from '../../base/param_name.ts';
import { testEvent } from '../../outbox/delivery.ts';
import { type EventType, eventTypes } from '../../outbox/event.ts';

const eventsMax = 100;

const families = new Set(eventTypes.map((type) => `${type.split('.')[0]}.*`));
const names = new Set<string>(['*', ...families, ...eventTypes]);

/** What an endpoint can be subscribed to: all, a family, or a type. In one order, so that equal lists are written alike. */
export function readEnabledEvents(list: readonly string[]): string[] {
  if (list.length === 0) throw invalid('it must name at least one event; * stands for all');
  if (list.length > eventsMax) throw invalid(`it must name at most ${eventsMax} events`);
  const unknown = list.find((name) => !names.has(name));
  if (unknown !== undefined) {
    const which = isSpeakable(unknown) ? `"${unknown}" is none` : 'one of them is none';
    throw invalid(`it must be a list of event types, families such as payment.*, or *; ${which}`);
  }
  const twice = list.find((name, at) => list.indexOf(name) !== at);
  if (twice !== undefined) throw invalid(`it names ${twice} twice`);
  return [...list].sort();
}

/** The types that a list stands for. An event that tries out one endpoint is for that one alone. */
export function typesOf(enabledEvents: readonly string[]): EventType[] {
  const listed = new Set(enabledEvents);
  const isListed = (type: string) => listed.has('*') || listed.has(type) || listed.has(`${type.split('.')[0]}.*`);
  return eventTypes.filter((type) => type !== testEvent && isListed(type));
}

function invalid(reason: string) {
  return refusal('parameter_invalid', { param: 'enabled_events', reason });
}
