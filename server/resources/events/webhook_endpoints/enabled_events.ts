import { closest } from '../../../base/closest.ts';
import { isSpeakable } from '../../../base/param_name.ts';
import { familyOf } from '../../../outbox/event.ts';
import { testEvent } from './deliveries/delivery.ts';
import { apiError } from './errors.ts';

const eventsMax = 100;

/** What an endpoint can be subscribed to: all events, a family, or a type. */
export class EventChoice {
  readonly #types: readonly string[];
  readonly #names: ReadonlySet<string>;

  constructor(types: readonly string[]) {
    this.#types = types;
    this.#names = new Set(['*', ...types.map(familyOf), ...types]);
  }

  /** Refuses a list that an endpoint cannot be subscribed to. */
  check(list: readonly string[]): void {
    if (list.length === 0) throw invalid('it must name at least one event; * stands for all');
    if (list.length > eventsMax) throw invalid(`it must name at most ${eventsMax} events`);
    const unknown = list.find((name) => !this.#names.has(name));
    if (unknown !== undefined)
      throw invalid(
        `it takes event types, families such as payment.*, or *; ${this.#noneOf(unknown)}; docs/events.md lists them all`,
      );
    const twice = list.find((name, at) => list.indexOf(name) !== at);
    if (twice !== undefined) throw invalid(`it names ${twice} twice`);
    // Otherwise one URL could have two endpoints with the same events, and would get every event twice.
    for (const name of list) {
      const whole = ['*', familyOf(name)].find((wider) => wider !== name && list.includes(wider));
      if (whole !== undefined) throw invalid(`it names ${name} beside ${whole}, which stands for it already; drop one`);
    }
  }

  /** The types that a list stands for. The test event is not among them: it is sent only to the endpoint that is tested. */
  typesOf(enabledEvents: readonly string[]): string[] {
    const listed = new Set(enabledEvents);
    const isListed = (type: string) => listed.has('*') || listed.has(type) || listed.has(familyOf(type));
    return this.#types.filter((type) => type !== testEvent && isListed(type));
  }

  /** A value that may be a card number is not repeated. */
  #noneOf(unknown: string): string {
    if (!isSpeakable(unknown)) return 'one of them is none of these';
    const near = closest(unknown, [...this.#names]);
    return `"${unknown}" is none of these${near === undefined ? '' : ` (did you mean ${near}?)`}`;
  }
}

function invalid(reason: string) {
  return apiError('parameter_invalid', { param: 'enabled_events', reason });
}
