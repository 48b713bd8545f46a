import style from './status.module.css';
import { type Tone, toneOf, wordsOf } from './tones.ts';

export { statusInWords, type Tone, toneOf, wordsOf } from './tones.ts';

export function Status({ status, tone = toneOf(status) }: { status: string; tone?: Tone }) {
  return <span className={`${style.status} ${style[tone]}`}>{wordsOf(status)}</span>;
}
