import type { Change } from './change.ts';
import style from './home.module.css';

const marks = { up: '▲', down: '▼' };

type ShownProps = {
  change: Change | undefined;
  /** Which way is the better one. */
  better: 'up' | 'down';
};

/** `▲ 4.2%`. Screen readers hear `up 4.2%`. */
export function Changed({ change, better }: ShownProps) {
  if (change === undefined) return null;
  const { way, by } = change;
  if (way === 'same') return <span className={style.change}>unchanged</span>;
  return (
    <span className={style.change} data-tone={way === better ? 'good' : 'bad'}>
      <span aria-hidden>{marks[way]}</span>
      <span className="visually-hidden">{way}</span> {by}
    </span>
  );
}
