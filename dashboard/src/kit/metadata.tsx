import type { Metadata as Values } from '@tollgate/node';
import { Section } from './detail_page.tsx';
import { FactList } from './fact_list.tsx';

/** Keys and values that the merchant has set; nothing where there are none. */
export function Metadata({ metadata }: { metadata: Values }) {
  const entries = Object.entries(metadata);
  if (entries.length === 0) return null;
  return (
    <Section title="Metadata">
      <FactList facts={entries.map(([name, value]) => [name, String(value)])} />
    </Section>
  );
}
