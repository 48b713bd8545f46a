import { Link } from '@tanstack/react-router';
import type { PaymentLink } from '@tollgate/node';
import { IdLink } from '../kit/id_link.tsx';
import { pathOfId } from '../kit/paths.ts';
import { useRead } from '../kit/read.ts';
import { Status } from '../kit/status.tsx';
import { PriceLink } from './names.tsx';
import { linkName } from './sold_words.ts';

/** What is sold for a price, which leads to it. */
export function SoldPrice({ id }: { id: string }) {
  const { data, error } = usePrice(id);
  if (data !== undefined) return <PriceLink price={data} />;
  return error === null ? null : <IdLink id={id} />;
}

function usePrice(id: string | undefined, isEnabled = true) {
  return useRead(['prices', id], (api, options) => api.prices.retrieve(id!, options), {
    isEnabled: isEnabled && id !== undefined,
  });
}

/** What a link sells. The name of a price is read once, whatever the number of links. */
export function LinkName({ link }: { link: PaymentLink }) {
  const price = link.line_items?.[0]?.price;
  const isNamed = linkName(link) !== undefined;
  const { data } = usePrice(price, !isNamed);
  return <>{linkName(link, data?.product_name) ?? link.id}</>;
}

/** A link by what it sells, which leads to it. */
export function NamedLink({ id }: { id: string }) {
  const { data } = useRead(['payment_links', id], (api, options) => api.paymentLinks.retrieve(id, options));
  if (data === undefined) return <IdLink id={id} />;
  return (
    <Link to={pathOfId(id) as string} title={id} className="plain-link" dir="auto">
      <LinkName link={data} />
    </Link>
  );
}

export function LinkStatus({ link: { active, completed, limit } }: { link: PaymentLink }) {
  if (!active) return <Status status="switched_off" tone="quiet" />;
  return limit !== undefined && completed >= limit ? (
    <Status status="sold_out" tone="quiet" />
  ) : (
    <Status status="active" />
  );
}
