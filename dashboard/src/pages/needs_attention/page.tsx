import { Group } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import type { AttentionCount, AttentionItem, NeedsAttention } from '@tollgate/node';
import { Section } from '../../kit/detail_page.tsx';
import { Empty } from '../../kit/empty.tsx';
import { Failure } from '../../kit/failure.tsx';
import type { Search } from '../../kit/filters.ts';
import { PageLayout } from '../../kit/page_layout.tsx';
import { useAttention } from '../../nouns/attention.ts';
import { countOf } from '../../nouns/urgency.ts';
import { AttentionSkeleton } from './compact.tsx';
import { AttentionItems } from './items.tsx';
import { kinds as allKinds } from './kinds.ts';
import style from './needs_attention.module.css';

type Kind = AttentionItem['kind'];

export function Page() {
  const { data, error, refetch } = useAttention();
  return (
    <PageLayout title="Needs attention" hasSections>
      {error !== null && data === undefined && <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && (
        <Section title="Loading">
          <AttentionSkeleton />
        </Section>
      )}
      {data !== undefined && <Waiting found={data} />}
    </PageLayout>
  );
}

function Waiting({ found: { counts, data } }: { found: NeedsAttention }) {
  const { kind: chosen } = useSearch({ strict: false }) as Search;
  const kinds = (Object.keys(allKinds) as Kind[]).filter((kind) => data.some((item) => item.kind === kind));
  if (kinds.length === 0)
    return (
      <div className={style.box}>
        <Empty
          icon="check"
          title="Nothing needs attention"
          text="Disputes to answer, unknown outcomes, unpaid invoices, failing endpoints and reconciliation differences appear here."
        />
      </div>
    );
  const shown = kinds.filter((kind) => chosen === undefined || !kinds.includes(chosen as never) || kind === chosen);
  return (
    <>
      {kinds.length > 1 && <Kinds kinds={kinds} counts={counts} isAll={shown.length > 1} />}
      {shown.map((kind) => (
        <Section
          key={kind}
          title={`${allKinds[kind].many}: ${countOf(counts.filter((count) => count.kind === kind))}`}
          isFlush
        >
          <AttentionItems items={data.filter((item) => item.kind === kind)} />
        </Section>
      ))}
    </>
  );
}

type KindsProps = { kinds: readonly Kind[]; counts: readonly AttentionCount[]; isAll: boolean };

/** One kind at a time, for those who have many. */
function Kinds({ kinds, counts, isAll }: KindsProps) {
  const link = (kind: Kind | undefined, title: string, count: string, isOn: boolean) => (
    <Link
      key={title}
      to={'/needs-attention' as string}
      search={(kind === undefined ? {} : { kind }) as never}
      className={style.kind}
      activeProps={{}}
      data-on={isOn || undefined}
    >
      {title} <strong>{count}</strong>
    </Link>
  );
  const { kind: chosen } = useSearch({ strict: false }) as Search;
  return (
    <Group component="nav" gap={6} aria-label="Kinds">
      {link(undefined, 'All', countOf(counts), isAll)}
      {kinds.map((kind) => {
        const count = countOf(counts.filter((one) => one.kind === kind));
        return link(kind, allKinds[kind].many, count, !isAll && chosen === kind);
      })}
    </Group>
  );
}
