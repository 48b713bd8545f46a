import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type Customer, type Payment, type Price, ResponseError, type Subscription } from '@tollgate/node';
import { useMemo } from 'react';
import { IdLink } from '../kit/id_link.tsx';
import { formatMoney } from '../kit/money.ts';
import { pathOfId } from '../kit/paths.ts';
import { useRead } from '../kit/read.ts';
import { Status } from '../kit/status.tsx';
import { methodWords } from './payment_method_words.ts';
import { couponWords, itemsWords } from './price_words.ts';
import { sessionName } from './sold_words.ts';

/** The name of a customer, which leads to the customer. */
export function CustomerLink({ id }: { id: string }) {
  const { data, error } = useCustomer(id);
  if (error !== null) return <IdLink id={id} />;
  if (data === undefined) return <Skeleton height={12} width={110} />;
  return <Named id={id} name={customerName(data)} />;
}

/** The same of a customer that was read with what refers to it. One that was deleted has no name. */
export function CustomerName({ id, customer }: { id: string; customer: Customer | undefined }) {
  return customer === undefined ? <IdLink id={id} /> : <Named id={id} name={customerName(customer)} />;
}

/** A payment by its amount, and what it is for. */
export function PaymentName({ id, payment }: { id: string; payment: Payment | undefined }) {
  if (payment === undefined) return <IdLink id={id} />;
  const words = [formatMoney(payment.amount, payment.currency), payment.description];
  return <Named id={id} name={words.filter((word) => word !== undefined).join(' · ')} />;
}

/** What to call a customer. */
export function customerName({ name, email, id }: Customer): string {
  return name ?? email ?? id;
}

export function useCustomer(id: string | null | undefined) {
  return useRead(['customers', id], (api, options) => api.customers.retrieve(id!, options), {
    isEnabled: id !== null && id !== undefined,
  });
}

/** An invoice by its number. A draft has none yet. */
export function InvoiceLink({ id }: { id: string }) {
  const { data } = useRead(['invoices', id], (api, options) => api.invoices.retrieve(id, options));
  return <MaybeNamed id={id} name={data?.number} />;
}

export function usePayment(id: string) {
  return useRead(['payments', id], (api, options) => api.payments.retrieve(id, options));
}

export function PaymentLink({ id }: { id: string }) {
  const { data } = usePayment(id);
  return <PaymentName id={id} payment={data} />;
}

/** A subscription by what it is for. */
export function SubscriptionLink({ id }: { id: string }) {
  const { data } = useRead(['subscriptions', id], (api, options) => api.subscriptions.retrieve(id, options));
  return data === undefined ? <IdLink id={id} /> : <SubscriptionName subscription={data} />;
}

export function SubscriptionName({ subscription: { id, items } }: { subscription: Subscription }) {
  return <MaybeNamed id={id} name={itemsWords(items, usePrices(items.map(({ price }) => price)))} />;
}

/** A checkout session by what it sells. */
export function SessionLink({ id }: { id: string }) {
  const { data } = useRead(['checkout_sessions', id], (api, options) => api.checkoutSessions.retrieve(id, options));
  return <MaybeNamed id={id} name={data && sessionName(data)} />;
}

export function ClockLink({ id }: { id: string }) {
  const { data } = useRead(['test_clocks', id], (api, options) => api.testClocks.retrieve(id, options));
  return <MaybeNamed id={id} name={data?.name} />;
}

/** A coupon in words. One that was deleted has no page any more. */
export function CouponLink({ id }: { id: string }) {
  const { data, error } = useCoupon(id);
  if (error instanceof ResponseError && error.status === 404)
    return (
      <span title={id}>
        <Status status="deleted" />
      </span>
    );
  if (error !== null) return <IdLink id={id} />;
  if (data === undefined) return <Skeleton height={12} width={110} />;
  return <Named id={id} name={couponWords(data)} />;
}

export function useCoupon(id: string) {
  return useRead(['coupons', id], (api, options) => api.coupons.retrieve(id, options));
}

/** What is sold for a price, which leads to the price. */
export function PriceLink({ price }: { price: Price }) {
  return <Named id={price.id} name={price.product_name} />;
}

/** The method by its brand and last digits, which leads to it. */
export function MethodLink({ id }: { id: string }) {
  const { data, error } = useMethodWords(id);
  if (error !== null) return <IdLink id={id} />;
  if (data === undefined) return <Skeleton height={12} width={110} />;
  return <Named id={id} name={data} />;
}

export function useMethod(id: string | undefined) {
  return useRead(['payment_methods', id], (api, options) => api.paymentMethods.retrieve(id!, options), {
    isEnabled: id !== undefined,
  });
}

export function useMethodWords(id: string | undefined) {
  const { data, error, isLoading } = useMethod(id);
  return { data: data && methodWords(data), error, isLoading };
}

/** A name that leads to the page of its object. */
export function Named({ id, name }: { id: string; name: string }) {
  return (
    <Link to={pathOfId(id) as string} title={`${name}\n${id}`} className="plain-link" dir="auto">
      {name}
    </Link>
  );
}

/** The name, or the id where there is none. */
export function MaybeNamed({ id, name }: { id: string; name: string | undefined }) {
  return name === undefined || pathOfId(id) === undefined ? <IdLink id={id} /> : <Named id={id} name={name} />;
}

const bookMax = 100;

/** Prices by id: the newest ones are read at once, and others that are named one by one. */
export function usePrices(ids: readonly string[]): ReadonlyMap<string, Price> {
  const book = useRead(['prices', 'book'], (api, options) => api.prices.list({ limit: bookMax }, options));
  const known = useMemo(() => new Map(book.data?.data.map((price) => [price.id, price])), [book.data]);
  const missing = book.data === undefined ? [] : [...new Set(ids)].filter((id) => !known.has(id)).sort();
  const others = useRead(
    ['prices', 'others', missing],
    (api, options) => Promise.all(missing.map((id) => api.prices.retrieve(id, options))),
    { isEnabled: missing.length > 0 },
  );
  return useMemo(
    () => new Map([...known, ...(others.data ?? []).map((price) => [price.id, price] as const)]),
    [known, others.data],
  );
}
