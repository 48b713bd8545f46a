/** Facts about a span. Never personal or secret ones: ids, names of the code, numbers. */
export type SpanFacts = Readonly<Record<string, string | number | undefined>>;

export type SpanStart = {
  name: string;
  /** server: serves a call from outside. client: calls another server. */
  kind: 'internal' | 'server' | 'client';
  /**
   * child: part of the span around it; without one it is not recorded. root: begins a new trace, or continues the one of
   * `traceparent`, a header of the caller.
   */
  place: 'child' | 'root';
  traceparent?: string | undefined;
  facts?: SpanFacts;
};

/** A span while its work runs. */
export type OpenSpan = {
  /** Adds facts, and names the span by what was found out. */
  note(facts: SpanFacts, name?: string): void;
  /** The work has failed, though it does not throw. */
  fail(): void;
  /** The span is not worth recording. */
  drop(): void;
};

/** Records how long work took, and what it was part of. */
export type Tracing = {
  /** Runs the work inside a span. What the work rejects with is passed on, and marks the span as failed. */
  span<T>(start: SpanStart, work: (span: OpenSpan) => Promise<T>): Promise<T>;
};

/** A span that is not recorded. */
export const unrecorded: OpenSpan = { note() {}, fail() {}, drop() {} };

/** Records nothing. */
export const noTracing: Tracing = { span: (_, work) => work(unrecorded) };
