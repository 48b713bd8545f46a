import type { Metadata as Values } from '@tollgate/node';
import { Section } from './detail_page.tsx';
import style from './metadata.module.css';

/** Keys and values that the merchant has set; nothing where there are none. */
export function Metadata({ metadata }: { metadata: Values }) {
  const entries = Object.entries(metadata);
  if (entries.length === 0) return null;
  return (
    <Section title="Metadata">
      <dl className={style.metadata}>
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{String(value)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
