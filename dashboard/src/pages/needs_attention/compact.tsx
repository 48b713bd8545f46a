import { Box, Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { AttentionItem } from '@tollgate/node';
import { Moment } from '../../kit/moment.tsx';
import { formatMoney } from '../../kit/money.ts';
import { pathOfId } from '../../kit/paths.ts';
import { keyOf, kinds, shortReason } from './kinds.ts';
import style from './needs_attention.module.css';

/** Two lines an item, where there is little room: what it is, and why. All of an item leads to its object. */
export function CompactItems({ items }: { items: readonly AttentionItem[] }) {
  return (
    <ul className={`divided ${style.compact}`}>
      {items.map((item) => (
        <li key={keyOf(item)}>
          <CompactItem item={item} />
        </li>
      ))}
    </ul>
  );
}

function CompactItem({ item }: { item: AttentionItem }) {
  const { kind, id, since, due_by, amount, currency, reason } = item;
  const page = pathOfId(id);
  const to = page === undefined ? { to: '/needs-attention', search: { kind } } : { to: page };
  return (
    <Link {...(to as { to: string })}>
      <span className={`truncated ${style.what}`}>{kinds[kind].one}</span>
      {amount !== undefined && currency !== undefined && (
        <span className={style.worth}>{formatMoney(amount, currency)}</span>
      )}
      <span className={`truncated ${style.why}`} title={reason}>
        {shortReason(item)}
      </span>
      <span className={style.when}>
        {due_by === undefined ? (
          <>
            since <Moment seconds={since} />
          </>
        ) : (
          <Due seconds={due_by} />
        )}
      </span>
    </Link>
  );
}

const day = 86_400;

export function Due({ seconds }: { seconds: number }) {
  const left = seconds - Date.now() / 1_000;
  return (
    <span className={left < 2 * day ? style.late : undefined}>
      due <Moment seconds={seconds} />
    </span>
  );
}

export function AttentionSkeleton() {
  return (
    <Box px="md" py={14} role="status" aria-busy="true" aria-label="Loading">
      <Skeleton height={14} width="70%" mb={10} />
      <Skeleton height={12} width="45%" />
    </Box>
  );
}
