import { useRead } from '../../kit/read.ts';
import { SetupChallenge } from '../../nouns/challenge.tsx';

/** What the setup of the payment method waits for. */
export function PendingSetup({ id }: { id: string }) {
  const { data } = useRead(['setups', id], (api, options) => api.setups.retrieve(id, options));
  return data && <SetupChallenge setup={data} />;
}
