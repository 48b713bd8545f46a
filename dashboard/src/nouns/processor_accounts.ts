import type { ProcessorAccount } from '@tollgate/node';
import { useRead } from '../kit/read.ts';
import { useWorkspace } from '../session/workspace.tsx';

const none: readonly ProcessorAccount[] = [];

/** Every processor account: there are at most 50. Those who may not read them get none. */
export function useProcessorAccounts({ isUsed = true } = {}): readonly ProcessorAccount[] {
  const { may } = useWorkspace();
  const { data } = useRead(
    ['processor_accounts', 'all'],
    (api, options) => api.processorAccounts.list({ limit: 100 }, options),
    { isEnabled: isUsed && may('processor_accounts.list') },
  );
  return data?.data ?? none;
}

/** The name that an account has here; its id, if it was deleted. */
export function nameIn(accounts: readonly ProcessorAccount[], id: string): string {
  return accounts.find((account) => account.id === id)?.name ?? id;
}
