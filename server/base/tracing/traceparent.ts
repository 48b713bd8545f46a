/** The place of a span among others, as the W3C recommendation Trace Context names it. */
export type SpanPlace = { traceId: string; spanId: string; isSampled: boolean };

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** The span of a caller, from its header `traceparent`; undefined without a valid one. Later versions may add fields at the end. */
export function readTraceparent(header: string | undefined): SpanPlace | undefined {
  const [, version, traceId, spanId, flags, more] = form.exec(header ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId!) || /^0+$/.test(spanId!)) return undefined;
  return { traceId: traceId!, spanId: spanId!, isSampled: (Number.parseInt(flags!, 16) & 1) === 1 };
}
