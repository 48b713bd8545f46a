import type { Event, RequestLog } from '@tollgate/node';

/** An advance of a clock: when it was asked for, in real time, and which time of the clock it led through. */
export type Advance = {
  request: string;
  at: number;
  /** When the next one was asked for. */
  until: number | undefined;
  from: number | undefined;
  to: number;
};

/** The advances of a clock, newest first, from the requests that changed it. */
export function advancesOf(requests: readonly RequestLog[]): Advance[] {
  const moves = requests
    .filter(({ status, operation = '' }) => status === 200 && /^test_clocks\.(create|advance)$/.test(operation))
    .map(({ id, operation, created, parameters = {} }) => {
      return {
        request: id,
        isAdvance: operation === 'test_clocks.advance',
        at: created,
        to: Number(parameters.frozen_time),
      };
    })
    .sort((one, other) => (one.request < other.request ? 1 : -1));
  return moves.flatMap(({ isAdvance, ...move }, index) =>
    isAdvance ? [{ ...move, until: moves[index - 1]?.at, from: moves[index + 1]?.to }] : [],
  );
}

type Known = { id?: string; customer?: string; test_clock?: string; payment?: string };

/** The events that happened in an advance: those of the clock's customers, at times that it has led through. */
export function eventsOf(
  events: readonly Event[],
  { clock, customers, advance }: { clock: string; customers: ReadonlySet<string>; advance: Advance },
): Event[] {
  const within = events.filter(({ created }) => created > (advance.from ?? 0) && created <= advance.to);
  const objectOf = ({ data }: Event) => data.object as Known;
  const isOwn = ({ id = '', customer = '', test_clock }: Known) =>
    test_clock === clock || customers.has(customer) || customers.has(id);
  const payments = new Set(
    within
      .map(objectOf)
      .filter(isOwn)
      .map(({ id }) => id),
  );
  return within.filter((event) => {
    const object = objectOf(event);
    return isOwn(object) || (object.payment !== undefined && payments.has(object.payment));
  });
}

/** How far an advance has come, from 0 to 100. */
export function progressOf(now: number, { from = now, to }: { from?: number | undefined; to: number }): number {
  if (to <= from) return 100;
  return Math.min(100, Math.max(0, Math.round(((now - from) / (to - from)) * 100)));
}

/** `12 invoice.paid, 1 invoice.payment_failed`, the most frequent first. */
export function countsOf(events: readonly Pick<Event, 'type'>[]): string {
  const counts = new Map<string, number>();
  for (const { type } of events) counts.set(type, (counts.get(type) ?? 0) + 1);
  const inOrder = [...counts].sort(([, one], [, other]) => other - one);
  return inOrder.map(([type, count]) => `${count.toLocaleString()} ${type}`).join(', ');
}
