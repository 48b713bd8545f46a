import type { StatisticsCheckoutSessions } from '@tollgate/node';
import { useRead } from '../kit/read.ts';
import { useWorkspace } from '../session/workspace.tsx';
import { conversionWords } from './conversion_words.ts';

const hour = 3_600;
const days = 30;

/** How many checkout sessions of the last days were completed: all, or those of a payment link. Nothing for those who may not read statistics. */
export function Conversion({ link }: { link?: string }) {
  const { may } = useWorkspace();
  const { data } = useRead<StatisticsCheckoutSessions>(
    ['checkout_statistics', link ?? 'all'],
    (api, options) => {
      const to = Math.ceil(Date.now() / 1_000 / hour) * hour;
      const range = { from: to - days * 24 * hour, to };
      return api.statistics.checkoutSessions({ ...range, ...(link !== undefined && { payment_link: link }) }, options);
    },
    { isEnabled: may('statistics.checkout_sessions') },
  );
  const words = data && conversionWords(data.totals);
  return words === undefined ? null : <p className="quiet">{`In the last ${days} days: ${words}`}</p>;
}
