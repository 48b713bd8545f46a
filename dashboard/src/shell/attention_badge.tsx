import { useAttention } from '../nouns/attention.ts';
import { countOf } from '../nouns/urgency.ts';
import style from './navigation.module.css';

/** How much waits for a person. Nothing where nothing does. */
export function AttentionBadge() {
  const { data } = useAttention();
  if (data === undefined || data.data.length === 0) return null;
  return (
    <span className={style.badge}>
      {countOf(data.counts)}
      <span className="heard"> waiting</span>
    </span>
  );
}
