import { Link } from '@tanstack/react-router';
import { Section } from '../../kit/detail_page.tsx';
import { Failure } from '../../kit/failure.tsx';
import { Icon } from '../../kit/icon.tsx';
import { useAttention } from '../../nouns/attention.ts';
import { byUrgency, countOf } from '../../nouns/urgency.ts';
import { AttentionSkeleton, CompactItems } from '../needs_attention/compact.tsx';
import style from './home.module.css';

/** With the balance below them, about as many as are as tall as the chart. */
const waitingMax = 4;

/** The most urgent of what waits for a person. A new account does not need to know that nothing does. */
export function FirstWaiting({ isNew }: { isNew: boolean }) {
  const { data, error, refetch } = useAttention();
  if (isNew && !data?.data.length) return null;
  return (
    <Section
      title="Needs attention"
      isFlush
      aside={
        data !== undefined &&
        data.data.length > 0 && <Link to={'/needs-attention' as string}>All {countOf(data.counts)}</Link>
      }
    >
      {error !== null && data === undefined && <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <AttentionSkeleton />}
      {data?.data.length === 0 && (
        <p className={style.calm}>
          <Icon name="check" size={18} /> Nothing needs attention.
        </p>
      )}
      {data !== undefined && data.data.length > 0 && <CompactItems items={byUrgency(data.data).slice(0, waitingMax)} />}
    </Section>
  );
}
