import { networkOf } from '../../../base/ip_range.ts';
import { type AnsweredRequest, durationUsOf } from './request.ts';

// What nobody can exceed, so that nobody can fill the table: of each server process, per minute.
const rowsMax = 600;
const countedNetworksMax = 400;

const minuteMs = 60_000;

/** The name of all further networks of a minute. No network has it. */
const others = 'others';

/** A row for a request without a tenant, or for many of one network and minute. */
export type AnonymousRow = {
  at: number;
  id: string;
  operation: string | undefined;
  method: string;
  path: string;
  status: number;
  code: string | undefined;
  duration_us: number;
  address: string;
  count: number;
};

/**
 * Makes rows of requests without a valid key or session, which anybody can send as often as they like. Beyond the limit of an address,
 * and beyond so many rows a minute, they are only counted, by network.
 */
export class AnonymousRequests {
  #minute = 0;
  #rows = 0;
  #ready: AnonymousRow[] = [];
  readonly #counted = new Map<string, AnonymousRow>();

  add(request: AnsweredRequest): void {
    this.#endMinute(request.receivedAt);
    if (request.code !== 'rate_limited' && this.#rows < rowsMax) {
      this.#rows++;
      this.#ready.push(rowOf(request, request.address));
    } else this.#count(request);
  }

  /** The rows that are complete by now, epoch milliseconds: a count is when its minute is over. */
  take(now: number): AnonymousRow[] {
    this.#endMinute(now);
    return this.#ready.splice(0);
  }

  #count(request: AnsweredRequest): void {
    const network = networkOf(request.address);
    const hasPlace = this.#counted.has(network) || this.#counted.size < countedNetworksMax;
    const name = hasPlace ? network : others;
    const row = this.#counted.get(name);
    if (row === undefined) this.#counted.set(name, rowOf(request, hasPlace ? request.address : others));
    else row.count++;
  }

  /** A request that arrived before the minute ended may be answered after it. It is counted in the new one. */
  #endMinute(now: number): void {
    const minute = Math.floor(now / minuteMs);
    if (minute <= this.#minute) return;
    this.#minute = minute;
    this.#rows = 0;
    this.#ready.push(...this.#counted.values());
    this.#counted.clear();
  }
}

function rowOf(request: AnsweredRequest, address: string): AnonymousRow {
  const { id, operation, method, path, status, code, receivedAt } = request;
  const duration_us = durationUsOf(request);
  return { at: receivedAt / 1_000, id, operation, method, path, status, code, duration_us, address, count: 1 };
}
