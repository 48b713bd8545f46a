import type { ReactNode } from 'react';
import style from './notice.module.css';
import type { Tone } from './tones.ts';

/** What somebody at this page should know first. */
export function Notice({ title, tone, children }: { title: string; tone: Tone; children: ReactNode }) {
  return (
    <div className={`${style.notice} ${style[tone]}`}>
      <strong>{title}</strong>
      <div>{children}</div>
    </div>
  );
}
