import type { TestClock } from '@tollgate/node';
import { tollgateCommand } from '../../kit/ca_file.ts';
import { createdColumn, idColumn, statusColumn } from '../../kit/columns.tsx';
import { CreateButton } from '../../kit/create_button.tsx';
import { createdFilter } from '../../kit/filters.ts';
import { type ListDescriptor, ListPage } from '../../kit/list_page.tsx';
import { Moment } from '../../kit/moment.tsx';
import { RowLink } from '../../kit/row_link.tsx';
import { TestModeOnly } from '../../kit/test_mode_only.tsx';
import { useWorkspace } from '../../session/workspace.tsx';
import { createClock } from './actions.tsx';

export function nameOfClock({ name, id }: TestClock): string {
  return name ?? id;
}

const clocks: ListDescriptor<TestClock> = {
  name: 'test_clocks',
  title: 'Test clocks',
  icon: 'clocks',
  columns: [
    { id: 'name', title: 'Name', isText: true, cell: (clock) => <RowLink id={clock.id}>{nameOfClock(clock)}</RowLink> },
    statusColumn,
    idColumn,
    {
      id: 'time',
      title: 'Time',
      room: 9.5,
      align: 'right',
      cell: ({ frozen_time }) => <Moment seconds={frozen_time} />,
    },
    { ...createdColumn, isWideOnly: true },
  ],
  filters: [createdFilter],
  load: (api, params, options) => api.testClocks.list(params, options),
  empty: () => ({
    title: 'No test clocks yet',
    text: 'A clock lets months pass in seconds for its customers: trials end, subscriptions renew, cards expire. Create one here, or in the folder where you started the gateway:',
    command: tollgateCommand('clocks create --name "A year of billing" --frozen-time 2027-01-31'),
  }),
  actions: <NewClock />,
};

export function Page() {
  const { mode } = useWorkspace();
  if (mode === 'live') return <TestModeOnly title="Test clocks" icon="clocks" text="Live customers use real time." />;
  return <ListPage list={clocks} />;
}

function NewClock() {
  return <CreateButton title="Create clock" calls="test_clocks.create" dialog={(onClose) => createClock()(onClose)} />;
}
