import type { Metadata as Values } from '@tollgate/node';
import { FactSection } from './detail_page.tsx';

/** Keys and values that the merchant has set; nothing where there are none. */
export function Metadata({ metadata }: { metadata: Values }) {
  return (
    <FactSection title="Metadata" facts={Object.entries(metadata).map(([name, value]) => [name, String(value)])} />
  );
}
