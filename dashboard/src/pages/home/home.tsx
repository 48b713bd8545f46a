import { Stack } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Payment } from '@tollgate/node';
import { useState } from 'react';
import { Failure } from '../../kit/failure.tsx';
import type { Search } from '../../kit/filters.ts';
import { isByClock } from '../../kit/id_time.ts';
import { PageHeader } from '../../kit/page_layout.tsx';
import { useRead } from '../../kit/read.ts';
import { useTitle } from '../../kit/title.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { type CurrencyFigures, gathered, noFigures } from './figures.ts';
import { FirstSteps } from './first_steps.tsx';
import style from './home.module.css';
import { questionsOf, type Span, spanOf } from './range.ts';
import { RangeBar } from './range_bar.tsx';
import { FirstWaiting, RecentPayments, useRecent } from './recent.tsx';
import { Tiles, TilesSkeleton } from './tiles.tsx';

/** How it goes: the numbers of a range, what waits for a person, and the newest payments. */
export function Page() {
  useTitle('Home');
  const recent = useRecent();
  const { may } = useWorkspace();
  // Who makes no keys takes no first steps.
  const isNew = recent.data?.data.length === 0 && may('api_keys.create');
  return (
    <Stack gap="md">
      {isNew && <FirstSteps />}
      {!isNew && may('statistics.retrieve') && <Numbers recent={recent.data?.data ?? []} />}
      {!isNew && !may('statistics.retrieve') && <PageHeader title="Home" />}
      <div className={style.below}>
        <FirstWaiting isNew={isNew} />
        {!isNew && <RecentPayments reading={recent} />}
      </div>
    </Stack>
  );
}

/** `recent`: the newest payments, whose currency is shown where nothing was created in the range. */
function Numbers({ recent }: { recent: readonly Payment[] }) {
  const { mode } = useWorkspace();
  const hasClocks = mode === 'test' && recent.some(isByClock);
  const fallback = recent[0]?.currency ?? 'eur';
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const span = useSpan(search);
  const { data, error, refetch, isPlaceholderData } = useStatistics(span);
  const currencies = data?.all.map(({ currency }) => currency) ?? [];
  const currency = search.currency && /^[a-z]{3}$/.test(search.currency) ? search.currency : currencies[0];
  const shown = data && (data.all.find((one) => one.currency === currency) ?? empty(data.span, currency ?? fallback));
  const change = (changed: Search) => void navigate({ to: '.', search: { ...search, ...changed } as never });
  return (
    <>
      <PageHeader
        title="Home"
        about={hasClocks ? 'By real time: what a test clock did counts on the day that it really happened.' : undefined}
        actions={
          <RangeBar
            search={search}
            currencies={[...new Set([...currencies, ...(currency === undefined ? [] : [currency])])].sort()}
            currency={currency ?? fallback}
            onChange={change}
          />
        }
      />
      {error !== null && data === undefined && <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && shown === undefined && <TilesSkeleton />}
      {shown !== undefined && <Tiles span={data!.span} figures={shown} isStale={isPlaceholderData} />}
    </>
  );
}

/** The same one until the next hour, or day, begins. */
function useSpan(search: Search): Span {
  const fresh = spanOf(search, new Date());
  const [kept, setKept] = useState(fresh);
  if (kept.unit === fresh.unit && String(kept.edges) === String(fresh.edges)) return kept;
  setKept(fresh);
  return fresh;
}

/** Until the numbers of another range are there, those of the last one are shown, with their own days. */
function useStatistics(span: Span) {
  const { unit, edges } = span;
  const reading = useRead(
    ['statistics', unit, edges[0], edges.at(-1)],
    async (api, options) => {
      const asked = questionsOf(span).map((question) =>
        api.statistics.retrieve({ ...question, bucket: unit }, options),
      );
      return { span, answers: await Promise.all(asked) };
    },
    { keeps: true },
  );
  const { data } = reading;
  return { ...reading, data: data && { span: data.span, all: gathered(data.span, data.answers) } };
}

function empty({ edges }: Span, currency: string): CurrencyFigures {
  return { currency, total: noFigures, parts: edges.slice(1).map(() => noFigures) };
}
