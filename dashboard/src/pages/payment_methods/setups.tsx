import type { Setup } from '@tollgate/node';
import { createdColumn, idColumn, statusColumn } from '../../kit/columns.tsx';
import type { Column } from '../../kit/list_table.tsx';
import { useRead } from '../../kit/read.ts';
import { RelatedList } from '../../kit/related_list.tsx';
import { wordsOf } from '../../kit/status.tsx';
import { SetupChallenge } from '../../nouns/challenge.tsx';

const newest = 5;

const columns: readonly Column<Setup>[] = [
  statusColumn,
  {
    id: 'failure',
    title: 'Why it failed',
    isWideOnly: true,
    cell: ({ failure_code, failure_decline_code }) => failure_code && wordsOf(failure_decline_code ?? failure_code),
  },
  { ...idColumn, isHidden: false }, // setups have no page that shows it
  createdColumn,
];

/** The latest setups of a payment method; nothing where there are none. */
export function SetupsOf({ id }: { id: string }) {
  const reading = useRead(['payment_methods', id, 'setups'], (api, options) =>
    api.setups.list({ payment_method: id, limit: newest }, options),
  );
  if (reading.error === null && (reading.data === undefined || reading.data.data.length === 0)) return null;
  const waiting = reading.data?.data.find(({ next_action }) => next_action !== undefined);
  return (
    <>
      {waiting && <SetupChallenge setup={waiting} />}
      <RelatedList title="Setups" reading={reading} columns={columns} empty="No setups." />
    </>
  );
}
