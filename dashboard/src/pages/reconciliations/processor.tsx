import { useRead } from '../../kit/read.ts';
import { wordsOf } from '../../kit/status.tsx';

const accountsMax = 100;

/** All accounts at processors, by their ids: one reading for a whole list. */
function useNames(isUsed: boolean): ReadonlyMap<string, string> | undefined {
  const { data } = useRead(
    ['processor_accounts', 'names'],
    (api, options) => api.processorAccounts.list({ limit: accountsMax }, options),
    { isEnabled: isUsed },
  );
  return data && new Map(data.data.map(({ id, name }) => [id, name]));
}

type ProcessorProps = { of: { connector: string; processor_account?: string } };

/** The name that the account at the processor has here; the connector, if there is no account or it was deleted. */
export function ProcessorName({ of: { connector, processor_account: account } }: ProcessorProps) {
  const names = useNames(account !== undefined);
  const name = account === undefined ? undefined : names?.get(account);
  return name ?? wordsOf(connector);
}
