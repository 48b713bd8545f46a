import type { Tollgate } from '@tollgate/node';
import { useState } from 'react';
import type { Search } from '../../kit/filters.ts';
import { useRead } from '../../kit/read.ts';
import { type CurrencyFigures, emptyFigures, gathered } from './figures.ts';
import { questionsOf, type Span, spanBefore, spanOf } from './range.ts';

type OfSpan = { span: Span; all: readonly CurrencyFigures[] };

/** A range and the one before it, in one currency. */
export type Compared = { span: Span; figures: CurrencyFigures; before: { span: Span; figures: CurrencyFigures } };

/**
 * The range that the address names, and the one before: all currencies of both, the one with the most payments first; where there is
 * none, the one that is named. Until the numbers of another range are there, those of the last one are shown, with their own days.
 */
export function useCompared(search: Search, fallback: string) {
  const { span, before } = useSpans(search);
  const reading = useRead(
    ['statistics', span.unit, span.edges[0], span.edges.at(-1), before.edges.at(-1)],
    async (api, options) => {
      const [now, earlier] = await Promise.all([span, before].map((one) => figuresOf(api, one, options)));
      return { now: now!, earlier: earlier! };
    },
    { keeps: true },
  );
  const { data } = reading;
  return { ...reading, data: data && compared(data.now, data.earlier, fallback) };
}

/** The same ones until the next hour, or day, begins. */
function useSpans(search: Search): { span: Span; before: Span } {
  const now = new Date();
  const span = spanOf(search, now);
  const fresh = { span, before: spanBefore(span, now) };
  const [kept, setKept] = useState(fresh);
  if (JSON.stringify(kept) === JSON.stringify(fresh)) return kept;
  setKept(fresh);
  return fresh;
}

async function figuresOf(api: Tollgate, span: Span, options: { signal: AbortSignal }): Promise<OfSpan> {
  const bucket = span.unit === 'hour' ? 'hour' : 'day';
  const asked = questionsOf(span).map((question) => api.statistics.retrieve({ ...question, bucket }, options));
  return { span, all: gathered(span, await Promise.all(asked)) };
}

function compared(now: OfSpan, earlier: OfSpan, fallback: string): Compared[] {
  const found = new Set([...now.all, ...earlier.all].map(({ currency }) => currency));
  return (found.size === 0 ? [fallback] : [...found]).map((currency) => ({
    span: now.span,
    figures: ofCurrency(now, currency),
    before: { span: earlier.span, figures: ofCurrency(earlier, currency) },
  }));
}

function ofCurrency({ span, all }: OfSpan, currency: string): CurrencyFigures {
  return all.find((one) => one.currency === currency) ?? emptyFigures(span, currency);
}
