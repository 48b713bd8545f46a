import { wordsOf } from '../../kit/status.tsx';
import { useProcessorAccounts } from '../../nouns/processor_accounts.ts';

type ProcessorProps = { of: { connector: string; processor_account?: string } };

/** The name that the account at the processor has here; the connector, if there is no account or it was deleted. */
export function ProcessorName({ of: { connector, processor_account: account } }: ProcessorProps) {
  const accounts = useProcessorAccounts({ isUsed: account !== undefined });
  return accounts.find(({ id }) => id === account)?.name ?? wordsOf(connector);
}
