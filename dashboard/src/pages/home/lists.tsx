import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Search } from '../../kit/filters.ts';
import { filtersOf, type Span } from './range.ts';

/** A list of what a number counts: of one currency, in a range. */
export type List = { path: 'payments' | 'refunds' | 'disputes'; filters?: Search };
export type Shown = { span: Span; currency: string };

export const allPayments: List = { path: 'payments' };
export const succeededPayments: List = { path: 'payments', filters: { status: 'succeeded' } };
export const failedPayments: List = { path: 'payments', filters: { status: 'failed' } };
export const succeededRefunds: List = { path: 'refunds', filters: { status: 'succeeded' } };
export const allDisputes: List = { path: 'disputes' };

function searchOf({ filters }: List, { span, currency }: Shown, part?: number): Search {
  return { ...filters, currency, ...filtersOf(span, part) };
}

/** A number that leads to the list behind it. */
export function ListLink({ list, span, currency, children }: Shown & { list: List; children: ReactNode }) {
  return (
    <Link to={`/${list.path}` as string} search={searchOf(list, { span, currency }) as never}>
      {children}
    </Link>
  );
}

/** Goes to the list behind a part of a chart. */
export function useOpen(list: List, shown: Shown): (part: number) => void {
  const navigate = useNavigate();
  return (part) => void navigate({ to: `/${list.path}` as string, search: searchOf(list, shown, part) as never });
}
