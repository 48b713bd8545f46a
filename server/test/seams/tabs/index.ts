import { insert, type Table, table, update } from '../../../base/commit/index.ts';
import { type Id, newId } from '../../../base/id.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { Type } from '../../../base/schema.ts';
import type { Once } from '../../../operations/executor.ts';
import { dueRows } from '../../../operations/job.ts';
import { type Outcome, operation, type RemoteCall } from '../../../operations/operation.ts';
import { type Declared, type JobServices, resource } from '../../../operations/resource.ts';
import { Parameters } from '../../../operations/schemas.ts';
import { settlements } from '../../../resources/payments/payments/topic.ts';

/** A bar tab: its job charges it when it is due, and refunds it after that. */
type Tab = {
  tenant: Tenant;
  id: Id<'tab'>;
  version: number;
  payment_method: string;
  amount: number;
  /** The description of the payment. */
  note: string;
  state: 'due' | 'charging' | 'charged' | 'refunding' | 'refunded' | 'failed';
  payment: string | null;
  due_at: Date | null;
  lease_until: Date | null;
};

const tabsTable: Table<Tab> = table('tabs', {
  int4: 'tenant version',
  text: 'id payment_method note state payment',
  int8: 'amount',
  timestamptz: 'due_at lease_until',
});

const create = operation({
  name: 'tabs.create',
  summary: 'Open a tab',
  route: 'POST /tabs',
  input: Parameters({ payment_method: Type.String(), amount: Type.Integer(), note: Type.String() }),
  output: Type.Object({ id: Type.String(), object: Type.Literal('tab') }),
  async run({ tenant, now }, { payment_method, amount, note }) {
    const tab: Tab = {
      tenant,
      id: newId('tab', now),
      version: 1,
      payment_method,
      amount,
      note,
      state: 'due',
      payment: null,
      due_at: new Date(now),
      lease_until: null,
    };
    return { result: { id: tab.id, object: 'tab' }, objectId: tab.id, writes: [insert(tabsTable, tab)], due: now };
  },
});

/** The tab of a payment, read when the payment settles. */
async function tabOf(reads: Reads, tenant: Tenant, payment: string): Promise<Tab | undefined> {
  const [tab] = await reads.rows<Tab>(
    `select ${tabsTable.columns.join(', ')} from tabs where tenant = $1 and payment = $2 and state = 'charging'`,
    [tenant, payment],
  );
  return tab;
}

export const tabs = resource({
  name: 'tabs',
  scopes: ['tabs'],
  operations: [create],
  jobs: (services, declared) => [dueRows(services, 'tabs', tabsTable, (tab) => settle(services, declared, tab))],
  extensions: [
    // The tab is marked as charged in the commit that settles its payment, however the answer arrives.
    settlements.with(async ({ reads }, { payment }, now) => {
      const tab = await tabOf(reads, payment.tenant, payment.id);
      if (tab === undefined || payment.status === 'processing') return { writes: [], events: [] };
      const state = payment.status === 'succeeded' ? 'charged' : 'failed';
      return { writes: [moved(tab, state, new Date(now))], events: [] };
    }),
  ],
});

function moved(tab: Tab, state: Tab['state'], due: Date | null, payment = tab.payment) {
  return update(tabsTable, { ...tab, version: tab.version + 1, state, payment, due_at: due, lease_until: null });
}

async function settle(services: JobServices, declared: Declared, tab: Tab): Promise<void> {
  if (tab.state === 'due') return charge(services, declared, tab);
  if (tab.state === 'charged') return refund(services, declared, tab);
  await services.committer.commit({ tenant: tab.tenant, writes: [moved(tab, tab.state, null)] });
}

/** Another process holds the tab by now. */
class Overtaken extends Error {}

/** A tab is charged once: its row is committed with the attempt, and only while it is at the leased version. */
function onceFor(claim: (decided: Outcome | RemoteCall) => ReturnType<typeof moved>): Once<never> {
  return {
    claim: (decided) => [claim(decided)],
    finish: () => [],
    async stored() {
      throw new Overtaken();
    },
  };
}

async function charge({ executor, clock }: JobServices, declared: Declared, tab: Tab): Promise<void> {
  const { tenant, payment_method, amount, note } = tab;
  const claimed = (decided: Outcome | RemoteCall) => {
    if ('ask' in decided) return moved(tab, 'charging', null, decided.objectId);
    // A local processor has answered already: its answer is committed with the claim.
    const state = decided.error === undefined ? 'charged' : 'failed';
    return moved(tab, state, new Date(clock.now()), decided.objectId);
  };
  await executor.change(
    {
      operation: declared.operation('payments.create'),
      caller: { kind: 'job', tenant, mode: 'test', name: 'tabs' },
      id: '',
      requestId: null,
      parameters: { amount, currency: 'usd', payment_method, description: note },
    },
    onceFor(claimed),
  );
}

async function refund({ executor }: JobServices, declared: Declared, tab: Tab): Promise<void> {
  await executor.change(
    {
      operation: declared.operation('refunds.create'),
      caller: { kind: 'job', tenant: tab.tenant, mode: 'test', name: 'tabs' },
      id: '',
      requestId: null,
      parameters: { payment: tab.payment },
    },
    onceFor(() => moved(tab, 'refunded', null)),
  );
}
