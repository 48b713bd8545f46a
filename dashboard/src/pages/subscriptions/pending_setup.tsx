import { useRead } from '../../kit/read.ts';
import { Challenge } from '../../nouns/challenge.tsx';

/** What the setup of the payment method waits for; nothing once it has ended. */
export function PendingSetup({ id }: { id: string }) {
  const { data } = useRead(['setups', id], (api, options) => api.setups.retrieve(id, options));
  const url = data?.next_action?.redirect_to_url.url;
  return url === undefined ? null : <Challenge url={url} approves="later charges of the card" />;
}
