import { Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Payment } from '@tollgate/node';
import { useEffect, useMemo, useState } from 'react';
import { Copy } from '../../kit/copy.tsx';
import { Section } from '../../kit/detail_page.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import { type Column, ListTable } from '../../kit/list_table.tsx';
import { formatMoney } from '../../kit/money.ts';
import { PageLayout } from '../../kit/page_layout.tsx';
import { usePolling } from '../../kit/poll.ts';
import { useRead } from '../../kit/read.ts';
import { Status } from '../../kit/status.tsx';
import { TestModeOnly } from '../../kit/test_mode_only.tsx';
import { cardGroups, cardWords, grouped, type TestCard } from '../../nouns/test_cards.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { type Paid, PayDialog } from './pay.tsx';
import style from './test_cards.module.css';

export function Page() {
  const { mode } = useWorkspace();
  if (mode === 'live')
    return <TestModeOnly title="Test cards" icon="cards" text="In live mode a processor takes real cards." />;
  return <Cards />;
}

const numberAndWords: Column<TestCard>[] = [
  {
    id: 'number',
    title: 'Number',
    room: 14,
    cell: (card) => (
      <span className={style.number}>
        <code>{grouped(card.id)}</code>
        <Copy text={card.id} label={`Copy ${grouped(card.id)}`} />
      </span>
    ),
  },
  { id: 'does', title: 'What it does', isText: true, room: 18, isBelow: true, cell: cardWords },
];

const codes: Column<TestCard> = {
  id: 'code',
  title: 'Code',
  isText: true,
  room: 18,
  isWideOnly: true,
  cell: ({ code, declineCode }) => <code className={style.code}>{[code, declineCode].filter(Boolean).join(', ')}</code>,
};

const payColumn = (onPay: (card: TestCard) => void): Column<TestCard> => ({
  id: 'pay',
  title: 'Try it',
  align: 'right',
  cell: (card) => (
    <Button size="compact-xs" variant="default" onClick={() => onPay(card)}>
      Pay<span className="visually-hidden"> with {grouped(card.id)}</span>
    </Button>
  ),
});

function Hint({ children }: { children: string }) {
  return (
    <Text span visibleFrom="sm" c="dimmed" size="sm" ta="right">
      {children}
    </Text>
  );
}

function Cards() {
  const { may } = useWorkspace();
  const [chosen, setChosen] = useState<TestCard>();
  const [paid, setPaid] = useState<Paid[]>([]);
  const canPay = may('payments.create');
  const [plain, withCodes] = useMemo(() => {
    const pay = canPay ? [payColumn(setChosen)] : [];
    return [
      [...numberAndWords, ...pay],
      [...numberAndWords, codes, ...pay],
    ];
  }, [canPay]);
  return (
    <PageLayout
      title="Test cards"
      hasSections
      about={
        <>
          Each number has one outcome. Use any future expiry date and any security code. Other valid numbers are
          approved. <a href="/docs/guides/testing">Testing</a> has the details.
        </>
      }
    >
      <PaidList paid={paid} />
      <Stack gap="md" className={style.cards}>
        {cardGroups.map(({ title, text, cards }) => (
          <Section key={title} title={title} aside={<Hint>{text}</Hint>} isFlush>
            <ListTable columns={cards[0]?.code === undefined ? plain! : withCodes!} items={cards} />
          </Section>
        ))}
      </Stack>
      {chosen && (
        <PayDialog
          card={chosen}
          onPaid={(one) => setPaid((before) => [one, ...before.filter(({ payment }) => payment !== one.payment)])}
          onClose={() => setChosen(undefined)}
        />
      )}
    </PageLayout>
  );
}

/** What became of the payments that were made on this page. */
function PaidList({ paid }: { paid: readonly Paid[] }) {
  // The card may stand far below.
  useEffect(() => {
    if (paid.length > 0) scrollTo({ top: 0 });
  }, [paid.length]);
  if (paid.length === 0) return null;
  return (
    <Section title="Paid just now">
      <ul className={style.paid} aria-live="polite">
        {paid.map((one) => (
          <PaidRow key={one.payment} paid={one} />
        ))}
      </ul>
    </Section>
  );
}

/** Every read is a request in the log, and a cardholder may take long. */
const openEveryMs = 2_000;

/** An outcome that is not known yet, or waits for the cardholder. */
const isOpen = (payment: Payment | undefined) => ['processing', 'requires_action'].includes(payment?.status ?? '');

function PaidRow({ paid: { payment: id, card, refusal } }: { paid: Paid }) {
  const { data, refetch } = useRead(['payments', id], (api, options) => api.payments.retrieve(id, options));
  usePolling(isOpen(data), refetch, openEveryMs);
  const challenge = data?.status === 'requires_action' ? data.next_action?.redirect_to_url?.url : undefined;
  return (
    <li>
      <Link to={`/payments/${id}` as string}>{data ? formatMoney(data.amount, data.currency) : id}</Link>
      {data && <Status status={data.status} />}
      <code>{grouped(card.id)}</code>
      <Group component="span" gap={8} flex={1} miw="10rem">
        {refusal?.message ?? data?.failure_message}
        {data?.dispute && <IdLink id={data.dispute} />}
      </Group>
      {challenge && (
        <a href={challenge} target="_blank" rel="noopener noreferrer">
          Open the page of the cardholder’s bank
        </a>
      )}
      {refusal?.request && (
        <span>
          Request <IdLink id={refusal.request} />
        </span>
      )}
    </li>
  );
}
