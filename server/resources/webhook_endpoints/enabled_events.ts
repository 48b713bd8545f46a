import { closest } from '../../base/closest.ts';
import { refusal } from '../../base/errors.ts';
import { isSpeakable } from '../../base/param_name.ts';
import { testEvent } from '../../outbox/delivery.ts';
import { type EventType, eventTypes } from '../../outbox/event.ts';

const eventsMax = 100;

const familyOf = (type: string) => `${type.split('.')[0]}.*`;
const families = new Set(eventTypes.map(familyOf));
const names = new Set<string>(['*', ...families, ...eventTypes]);

/** What an endpoint can be subscribed to: all, a family, or a type. In one order, so that equal lists are written alike. */
export function readEnabledEvents(list: readonly string[]): string[] {
  if (list.length === 0) throw invalid('it must name at least one event; * stands for all');
  if (list.length > eventsMax) throw invalid(`it must name at most ${eventsMax} events`);
  const unknown = list.find((name) => !names.has(name));
  if (unknown !== undefined)
    throw invalid(
      `it takes event types, families such as payment.*, or *; ${noneOf(unknown)}; docs/events.md lists them all`,
    );
  const twice = list.find((name, at) => list.indexOf(name) !== at);
  if (twice !== undefined) throw invalid(`it names ${twice} twice`);
  // Else one URL could have two endpoints that stand for the same, and every event would arrive twice.
  for (const name of list) {
    const whole = ['*', familyOf(name)].find((wider) => wider !== name && list.includes(wider));
    if (whole !== undefined) throw invalid(`it names ${name} beside ${whole}, which stands for it already; drop one`);
  }
  return [...list].sort();
}

/** What may be a card number in the wrong place is not repeated. */
function noneOf(unknown: string): string {
  if (!isSpeakable(unknown)) return 'one of them is none of these';
  const near = closest(unknown, [...names]);
  return `"${unknown}" is none of these${near === undefined ? '' : ` (did you mean ${near}?)`}`;
}

/** The types that a list stands for. An event that tries out one endpoint is for that one alone. */
export function typesOf(enabledEvents: readonly string[]): EventType[] {
  const listed = new Set(enabledEvents);
  const isListed = (type: string) => listed.has('*') || listed.has(type) || listed.has(familyOf(type));
  return eventTypes.filter((type) => type !== testEvent && isListed(type));
}

function invalid(reason: string) {
  return refusal('parameter_invalid', { param: 'enabled_events', reason });
}
