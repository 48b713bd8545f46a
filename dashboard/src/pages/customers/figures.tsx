import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { CustomerSummary } from '@tollgate/node';
import type { ReactNode } from 'react';
import { Section } from '../../kit/detail_page.tsx';
import { Failure } from '../../kit/failure.tsx';
import { Moment, TimesOf } from '../../kit/moment.tsx';
import { formatMoney } from '../../kit/money.ts';
import { Notice } from '../../kit/notice.tsx';
import { useRead } from '../../kit/read.ts';
import { disputeWords, owedWords, spentWords } from './figure_words.ts';
import style from './figures.module.css';

function useSummary(id: string) {
  return useRead(['customers', id, 'summary'], (api, options) => api.customers.retrieveSummary(id, options));
}

/** What a customer has paid, owes and has in credit: what support asks first. */
export function Figures({ customer }: { customer: string }) {
  const { data, error, refetch } = useSummary(customer);
  return (
    <Section title="Summary" isFlush>
      {error !== null && data === undefined && <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && (
        <div role="status" aria-busy="true" aria-label="Loading">
          <Skeleton height={132} radius={0} />
        </div>
      )}
      {data !== undefined && <Shown summary={data} />}
    </Section>
  );
}

function Shown({ summary }: { summary: CustomerSummary }) {
  const { spent = [], owed = [], credit, payments, disputes, customer, is_complete } = summary;
  const owes = owedWords(owed);
  const disputed = disputes && disputeWords(disputes);
  return (
    <>
      <dl className={style.figures}>
        <Figure title="Spent" amounts={spent} note={spentWords(summary)} />
        <Figure
          title="Owed"
          amounts={owed}
          note={owes && <span className={owes.isBad ? style.bad : ''}>{owes.words}</span>}
        />
        <Figure title="Credit" amounts={credit} note={credit.length > 0 && 'Used by the next invoices'} />
        <Payment title="First payment" payment={payments?.first} />
        <Payment title="Last payment" payment={payments?.last} />
        <Tile
          title="Failed payments"
          value={payments?.failed || undefined}
          note={
            (payments?.failed ?? 0) > 0 && (
              <Link to={'/payments' as string} search={{ customer, status: 'failed' } as never}>
                View failed payments
              </Link>
            )
          }
        />
        <Tile title="Disputes" value={disputed?.count || undefined} isBad={disputed?.isBad} note={disputed?.words} />
      </dl>
      {!is_complete && (
        <p className={style.incomplete}>
          There is more than can be added up here: the figures are those of the newest.
        </p>
      )}
    </>
  );
}

type Money = { currency: string; amount: number };

function Figure({ title, amounts, note }: { title: string; amounts: readonly Money[]; note?: ReactNode }) {
  const value = amounts.map(({ currency, amount }) => <div key={currency}>{formatMoney(amount, currency)}</div>);
  const shown = value.length < 4 ? value : <div className={style.many}>{value}</div>;
  return <Tile title={title} value={value.length === 0 ? undefined : shown} note={note} />;
}

type PaymentProps = { title: string; payment: NonNullable<CustomerSummary['payments']>['first'] };

function Payment({ title, payment }: PaymentProps) {
  if (payment === undefined) return <Tile title={title} value={undefined} />;
  const { id, amount, currency, created } = payment;
  return (
    <Tile
      title={title}
      value={
        <span className={style.moment}>
          <TimesOf item={payment}>
            <Moment seconds={created} />
          </TimesOf>
        </span>
      }
      note={<Link to={`/payments/${id}` as string}>{formatMoney(amount, currency)}</Link>}
    />
  );
}

type TileProps = { title: string; value: ReactNode; note?: ReactNode; isBad?: boolean | undefined };

function Tile({ title, value, note, isBad = false }: TileProps) {
  return (
    <div>
      <dt>{title}</dt>
      <dd className={`${style.value} ${isBad ? style.bad : ''} ${value === undefined ? style.none : ''}`}>
        {value ?? 'None'}
      </dd>
      {note && <dd className={style.note}>{note}</dd>}
    </div>
  );
}

/** What support should know before anything else: that the customer owes money and a charge has failed. */
export function OwedNotice({ customer }: { customer: string }) {
  const failed = useSummary(customer).data?.owed?.filter((one) => one.failed > 0) ?? [];
  if (failed.length === 0) return null;
  const money = failed.map(({ amount, currency }) => formatMoney(amount, currency)).join(' and ');
  return (
    <Notice tone="bad" title={`${money} is owed, and a charge has failed`}>
      Ask the customer for another card.{' '}
      <Link to={'/invoices' as string} search={{ customer, status: 'open' } as never}>
        View open invoices
      </Link>
    </Notice>
  );
}
