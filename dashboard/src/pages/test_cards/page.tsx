import { Button, Stack } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Copy } from '../../kit/copy.tsx';
import { Section } from '../../kit/detail_page.tsx';
import { type Column, ListTable } from '../../kit/list_table.tsx';
import { PageLayout } from '../../kit/page_layout.tsx';
import { TestModeOnly } from '../../kit/test_mode_only.tsx';
import { cardGroups, cardWords, grouped, type TestCard } from '../../nouns/test_cards.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { PaidList } from './paid.tsx';
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
    cell: (card) => (
      <>
        <span className={style.number}>
          <code>{grouped(card.id)}</code>
          <Copy text={card.id} label={`Copy ${grouped(card.id)}`} />
        </span>
        <span className={style.narrowWords}>{cardWords(card)}</span>
      </>
    ),
  },
  { id: 'does', title: 'What it does', isWideOnly: true, cell: cardWords },
];

const codes: Column<TestCard> = {
  id: 'code',
  title: 'Code',
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

function Cards() {
  const { may } = useWorkspace();
  const [chosen, setChosen] = useState<TestCard>();
  const [paid, setPaid] = useState<Paid[]>([]);
  const canPay = may('change');
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
      width="sections"
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
          <Section key={title} title={title} aside={<span className={style.about}>{text}</span>} isFlush>
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
