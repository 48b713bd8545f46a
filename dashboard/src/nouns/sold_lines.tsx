import type { ReactNode } from 'react';
import { Section } from '../kit/detail_page.tsx';
import style from './sold_lines.module.css';

/** `cost`: what all of the line cost. */
type SoldLine = { name: ReactNode; quantity: number; cost: ReactNode };

/** What is sold, line by line. */
export function SoldLines({ lines }: { lines: readonly SoldLine[] }) {
  if (lines.length === 0) return null;
  return (
    <Section title="What is sold" isFlush>
      <ul className={`divided ${style.lines}`}>
        {lines.map(({ name, quantity, cost }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have an order and nothing else
          <li key={at}>
            <span>
              {quantity !== 1 && `${quantity} × `}
              {name}
            </span>
            <span className="amount">{cost}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
