import type { ProcessorAccount } from '@tollgate/node';
import { tollgateCommand } from '../../kit/ca_file.ts';
import { CreateButton } from '../../kit/create_button.tsx';
import { listPage } from '../../kit/list_page.tsx';
import { Moment } from '../../kit/moment.tsx';
import { RowLink } from '../../kit/row_link.tsx';
import { Status, wordsOf } from '../../kit/status.tsx';
import { AddDialog } from './add.tsx';
import { HealthCell, latencyOf, rateOf, UnknownOutcomes } from './health.tsx';

export const Page = listPage<ProcessorAccount>({
  name: 'processor_accounts',
  title: 'Processors',
  icon: 'processors',
  columns: [
    { id: 'name', title: 'Name', isText: true, cell: ({ id, name }) => <RowLink id={id}>{name}</RowLink> },
    { id: 'connector', title: 'Connector', isBelow: true, cell: ({ connector }) => wordsOf(connector) },
    {
      id: 'status',
      title: 'Payments',
      cell: ({ enabled }) => <Status status={enabled ? 'enabled' : 'disabled'} tone={enabled ? 'good' : 'quiet'} />,
    },
    {
      id: 'rate',
      title: 'Success, 24 h',
      align: 'right',
      isWideOnly: true,
      cell: ({ id }) => <HealthCell id={id} show={rateOf} />,
    },
    {
      id: 'latency',
      title: 'Median / 95%',
      align: 'right',
      isWideOnly: true,
      cell: ({ id }) => <HealthCell id={id} show={latencyOf} />,
    },
    {
      id: 'unknown',
      title: 'Unknown outcomes',
      room: 9.5,
      align: 'right',
      isWideOnly: true,
      cell: ({ id }) => (
        <HealthCell id={id} show={({ unknown_outcomes }) => <UnknownOutcomes count={unknown_outcomes} />} />
      ),
    },
    {
      id: 'verified',
      title: 'Verified',
      room: 9,
      align: 'right',
      isWideOnly: true,
      cell: ({ last_verified }) =>
        last_verified === undefined ? 'Never' : <Moment seconds={last_verified} isRelative />,
    },
  ],
  filters: [],
  load: (api, params, options) => api.processorAccounts.list(params, options),
  empty: (mode) =>
    mode === 'test'
      ? {
          title: 'No test processors',
          text: 'The simulator takes test payments. Add accounts of it to try routing, or your test account at Stripe:',
          command: tollgateCommand('processor_accounts create --connector simulator --name "Spare"'),
        }
      : {
          title: 'No live processors',
          text: 'Live payments go to the accounts that owners add here.',
        },
  actions: <Add />,
});

function Add() {
  return (
    <CreateButton
      title="Add processor"
      calls="processor_accounts.create"
      dialog={(onClose) => <AddDialog onClose={onClose} />}
    />
  );
}
