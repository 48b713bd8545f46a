import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Log } from '../log.ts';
import type { Secret } from '../secret.ts';
import { every } from '../timers.ts';
import { readTraceparent, type SpanPlace } from './traceparent.ts';
import { type OpenSpan, type SpanFacts, type SpanStart, type Tracing, unrecorded } from './tracing.ts';

/** Where spans are sent, and as whose. */
export type CollectorAddress = {
  url: string;
  headers: Secret<Record<string, string>>;
  service: string;
  version: string;
};

const sendEveryMs = 1_000;
const batchSpansMax = 512;
const queueSpansMax = 8_192; // beyond this the collector does not keep up: further spans are dropped
const sendDeadlineMs = 5_000;
const kinds = { internal: 1, server: 2, client: 3 }; // numbers of the protocol
const failed = 2;

type Attribute = { key: string; value: { stringValue: string } | { intValue: string } | { doubleValue: number } };

/** A span as OTLP writes it in JSON. */
type WrittenSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status?: { code: number };
};

/**
 * Sends spans to a collector of OpenTelemetry, by OTLP over HTTP as JSON. A collector that is slow or absent delays nothing: what it
 * does not take is dropped.
 */
export class OtlpTracing implements Tracing {
  readonly #collector: CollectorAddress;
  readonly #log: Log;
  readonly #current = new AsyncLocalStorage<SpanPlace | undefined>();
  readonly #timer = every(sendEveryMs, () => void this.#send());
  #queue: WrittenSpan[] = [];
  #sending: Promise<void> | undefined;
  /** The first failure is logged, and the first after a success. */
  #isFailing = false;

  constructor(collector: CollectorAddress, log: Log) {
    this.#collector = collector;
    this.#log = log;
  }

  async span<T>(start: SpanStart, work: (span: OpenSpan) => Promise<T>): Promise<T> {
    const parent = start.place === 'root' ? readTraceparent(start.traceparent) : this.#current.getStore();
    // A caller that does not sample its trace has none of ours either.
    const isRecorded = parent?.isSampled ?? start.place === 'root';
    if (!isRecorded) return this.#current.run(parent, work, unrecorded);
    const place = { traceId: parent?.traceId ?? newSpanId(16), spanId: newSpanId(8), isSampled: true };
    const span = new RecordedSpan(start, place, parent?.spanId);
    try {
      return await this.#current.run(place, work, span);
    } catch (error) {
      span.fail();
      span.note({ 'error.type': error instanceof Error ? error.name : typeof error });
      throw error;
    } finally {
      if (!span.isDropped && this.#queue.length < queueSpansMax) this.#queue.push(span.written());
      if (this.#queue.length >= batchSpansMax) void this.#send();
    }
  }

  /** Sends what is left, as long as the collector takes it. */
  async close(): Promise<void> {
    this.#timer.cancel();
    await this.#sending;
    while (this.#queue.length > 0 && !this.#isFailing) await this.#send();
  }

  #send(): Promise<void> {
    if (this.#queue.length > 0)
      this.#sending ??= this.#post(this.#queue.splice(0, batchSpansMax)).finally(() => {
        this.#sending = undefined;
      });
    return this.#sending ?? Promise.resolve();
  }

  async #post(spans: WrittenSpan[]): Promise<void> {
    const { url, headers } = this.#collector;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers.open(), 'Content-Type': 'application/json' },
        body: JSON.stringify(this.#envelope(spans)),
        redirect: 'error',
        signal: AbortSignal.timeout(sendDeadlineMs),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`it answered ${response.status}`);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing)
        this.#log.warn(
          { error: reasonOf(error) },
          'could not send traces to the collector; spans are dropped until it accepts them',
        );
      this.#isFailing = true;
    }
  }

  #envelope(spans: WrittenSpan[]) {
    const { service, version } = this.#collector;
    const attributes = attributesOf({ 'service.name': service, 'service.version': version });
    return {
      resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 'tollgate', version }, spans }] }],
    };
  }
}

class RecordedSpan implements OpenSpan {
  isDropped = false;
  readonly #start: SpanStart;
  readonly #place: SpanPlace;
  readonly #parent: string | undefined;
  readonly #startedAt = nanoseconds();
  #name: string;
  #facts: SpanFacts;
  #isFailed = false;

  constructor(start: SpanStart, place: SpanPlace, parent: string | undefined) {
    this.#start = start;
    this.#place = place;
    this.#parent = parent;
    this.#name = start.name;
    this.#facts = start.facts ?? {};
  }

  note(facts: SpanFacts, name?: string): void {
    this.#facts = { ...this.#facts, ...facts };
    this.#name = name ?? this.#name;
  }

  fail(): void {
    this.#isFailed = true;
  }

  drop(): void {
    this.isDropped = true;
  }

  /** The span, which ends now. */
  written(): WrittenSpan {
    return {
      traceId: this.#place.traceId,
      spanId: this.#place.spanId,
      ...(this.#parent !== undefined && { parentSpanId: this.#parent }),
      name: this.#name,
      kind: kinds[this.#start.kind],
      startTimeUnixNano: this.#startedAt,
      endTimeUnixNano: nanoseconds(),
      attributes: attributesOf(this.#facts),
      ...(this.#isFailed && { status: { code: failed } }),
    };
  }
}

function newSpanId(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

/** The wall clock at the start of the process, carried on by the monotonic clock: a span never ends before it begins. */
function nanoseconds(): string {
  return `${Math.round((performance.timeOrigin + performance.now()) * 1_000)}000`;
}

function attributesOf(facts: SpanFacts): Attribute[] {
  return Object.entries(facts).flatMap(([key, value]): Attribute[] => {
    if (value === undefined) return [];
    if (typeof value === 'string') return [{ key, value: { stringValue: value } }];
    return [{ key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } }];
  });
}

/** The cause that fetch hides behind "fetch failed". */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? message;
}
