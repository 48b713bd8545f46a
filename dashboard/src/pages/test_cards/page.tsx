import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Copy } from '../../kit/copy.tsx';
import { Section } from '../../kit/detail_page.tsx';
import { type Column, ListTable } from '../../kit/list_table.tsx';
import { wordsOf } from '../../kit/status.tsx';
import { TestModeOnly } from '../../kit/test_mode_only.tsx';
import { useTitle } from '../../kit/title.ts';
import { usePlace } from '../../session/place.tsx';
import { cardGroups, grouped, type TestCard } from './cards.ts';
import { PaidList } from './paid.tsx';
import { type Paid, PayDialog } from './pay.tsx';
import style from './test_cards.module.css';

export function TestCardsPage() {
  const { mode } = usePlace();
  if (mode === 'live')
    return <TestModeOnly title="Test cards" icon="cards" text="In live mode a processor takes real cards." />;
  return <Cards />;
}

function columnsOf(onPay: ((card: TestCard) => void) | undefined): Column<TestCard>[] {
  return [
    {
      id: 'number',
      title: 'Number',
      cell: ({ id }) => (
        <span className={style.number}>
          <code>{grouped(id)}</code>
          <Copy text={id} label={`Copy ${grouped(id)}`} />
        </span>
      ),
    },
    { id: 'does', title: 'What it does', isWideOnly: true, cell: (card) => doesOf(card) },
    {
      id: 'code',
      title: 'Code',
      isWideOnly: true,
      cell: ({ code, declineCode }) => (
        <code className={style.code}>{[code, declineCode].filter(Boolean).join(', ')}</code>
      ),
    },
    ...(onPay === undefined
      ? []
      : [
          {
            id: 'pay',
            title: 'Try it',
            align: 'right' as const,
            cell: (card: TestCard) => (
              <Button size="compact-xs" variant="default" onClick={() => onPay(card)}>
                Pay<span className="heard"> with {grouped(card.id)}</span>
              </Button>
            ),
          },
        ]),
  ];
}

/** Approved cards differ by their brand alone. */
const doesOf = ({ brand, words, scenario, result }: TestCard) =>
  result === 'approved' && scenario === undefined ? wordsOf(brand) : words;

function Cards() {
  useTitle('Test cards');
  const { may } = usePlace();
  const [chosen, setChosen] = useState<TestCard>();
  const [paid, setPaid] = useState<Paid[]>([]);
  const canPay = may('change');
  const columns = useMemo(() => columnsOf(canPay ? setChosen : undefined), [canPay]);
  return (
    <div className={style.page}>
      <header>
        <h1>Test cards</h1>
        <p>
          Each number leads to one outcome. Use any expiry in the future, and any security code. Other valid numbers are
          approved. <a href="/docs/guides/testing">Testing</a> has the details.
        </p>
      </header>
      <PaidList paid={paid} />
      {cardGroups.map(({ title, text, cards }) => (
        <Section key={title} title={title} aside={<span className={style.about}>{text}</span>} isFlush>
          <ListTable columns={columns} items={cards} />
        </Section>
      ))}
      {chosen && (
        <PayDialog
          card={chosen}
          onPaid={(one) => setPaid((before) => [one, ...before.filter(({ payment }) => payment !== one.payment)])}
          onClose={() => setChosen(undefined)}
        />
      )}
    </div>
  );
}
