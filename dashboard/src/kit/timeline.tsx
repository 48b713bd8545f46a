import type { ReactNode } from 'react';
import { Moment } from './moment.tsx';
import type { Tone } from './status.tsx';
import style from './timeline.module.css';

export type TimelineEntry = { key: string; at: number; title: ReactNode; detail?: ReactNode; tone: Tone };

/** What has happened, newest first. Those of the same second are given in the order in which they happened. */
export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  const inOrder = entries.toReversed().sort((one, other) => other.at - one.at);
  return (
    <ol className={style.timeline}>
      {inOrder.map(({ key, at, title, detail, tone }) => (
        <li key={key} className={style[tone]}>
          <div className={style.title}>{title}</div>
          {detail && <div className={style.detail}>{detail}</div>}
          <div className={style.at}>
            <Moment seconds={at} precision="second" />
          </div>
        </li>
      ))}
    </ol>
  );
}
