import { Stack } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Payment } from '@tollgate/node';
import type { ReactNode } from 'react';
import { Failure } from '../../kit/failure.tsx';
import type { Search } from '../../kit/filters.ts';
import { isByClock } from '../../kit/id_time.ts';
import { PageHeader } from '../../kit/page_layout.tsx';
import { useTitle } from '../../kit/title.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { BalanceSummary } from './balance.tsx';
import { Breakdowns } from './breakdowns.tsx';
import { CurrencyStrip, StripSkeleton } from './currencies.tsx';
import { FirstSteps } from './first_steps.tsx';
import style from './home.module.css';
import { RangeBar } from './range_bar.tsx';
import { RecentPayments, useRecent } from './recent.tsx';
import { useCompared } from './statistics.ts';
import { Subscriptions, SubscriptionsSkeleton } from './subscriptions.tsx';
import { Volume, VolumeSkeleton } from './volume.tsx';
import { FirstWaiting } from './waiting.tsx';

/** How it goes: the numbers of a range, what waits for a person, and the newest payments. */
export function Page() {
  useTitle('Home');
  const recent = useRecent();
  const { may } = useWorkspace();
  // Who makes no keys takes no first steps.
  const isNew = recent.data?.data.length === 0 && may('api_keys.create');
  const waiting = <FirstWaiting isNew={isNew} />;
  if (isNew) return <FirstSteps waiting={waiting} />;
  return (
    <Stack gap="md">
      {may('statistics.retrieve') ? (
        <Numbers recent={recent.data?.data ?? []} waiting={waiting} />
      ) : (
        <>
          <PageHeader title="Home" />
          {waiting}
        </>
      )}
      <RecentPayments reading={recent} />
    </Stack>
  );
}

/** `recent`: the newest payments, whose currency is shown where nothing was created in the range. */
function Numbers({ recent, waiting }: { recent: readonly Payment[]; waiting: ReactNode }) {
  const { mode, may } = useWorkspace();
  const hasClocks = mode === 'test' && recent.some(isByClock);
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const { data: all, error, refetch, isPlaceholderData } = useCompared(search, recent[0]?.currency ?? 'eur');
  const change = (changed: Search) => void navigate({ to: '.', search: { ...search, ...changed } as never });
  const shown = all?.find(({ figures }) => figures.currency === search.currency) ?? all?.[0];
  return (
    <>
      <PageHeader
        title="Home"
        about={hasClocks ? 'By real time: what a test clock did counts on the day that it really happened.' : undefined}
        actions={<RangeBar search={search} onChange={change} />}
      />
      {all === undefined && error === null && (
        <StripSkeleton count={new Set(recent.map(({ currency }) => currency)).size} />
      )}
      {all !== undefined && shown !== undefined && (
        <CurrencyStrip
          all={all}
          currency={shown.figures.currency}
          search={search}
          onChange={(currency) => change({ currency })}
        />
      )}
      <div className={style.sized}>
        <div className={style.beside}>
          {error !== null && shown === undefined && <Failure error={error} onRetry={() => void refetch()} />}
          {error === null && shown === undefined && <VolumeSkeleton />}
          {shown !== undefined && <Volume compared={shown} isStale={isPlaceholderData} />}
          <div className={style.aside}>
            {waiting}
            {may('balance.retrieve') && (
              <BalanceSummary currencies={all?.map(({ figures }) => figures.currency) ?? []} />
            )}
          </div>
        </div>
        {may('statistics.breakdown') && <Breakdowns compared={shown} />}
        {may('statistics.subscriptions') && error === null && shown === undefined && <SubscriptionsSkeleton />}
        {shown !== undefined && may('statistics.subscriptions') && (
          <Subscriptions span={shown.span} currency={shown.figures.currency} search={search} />
        )}
      </div>
    </>
  );
}
