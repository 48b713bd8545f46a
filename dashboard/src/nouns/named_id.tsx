import { IdLink } from '../kit/id_link.tsx';
import { useRead } from '../kit/read.ts';
import { useWorkspace } from '../session/workspace.tsx';
import { endpointName, useEndpoints } from './endpoint_words.ts';
import { Named } from './names.tsx';
import { useProcessorAccounts } from './processor_accounts.ts';

const namesMax = 100;

/** An id by its name where it has one: keys, people, webhook endpoints and processor accounts. All ids of a page share one read of each kind. */
export function NamedId({ id, canCopy }: { id: string; canCopy?: boolean }) {
  if (id.startsWith('key_')) return <KeyName id={id} />;
  if (id.startsWith('usr_')) return <PersonName id={id} />;
  if (id.startsWith('we_')) return <EndpointName id={id} />;
  if (id.startsWith('pa_')) return <ProcessorName id={id} />;
  return <IdLink id={id} canCopy={canCopy ?? false} />;
}

/** Those who may not read keys see the id. */
function KeyName({ id }: { id: string }) {
  const { may } = useWorkspace();
  const { data } = useRead(['api_keys', 'names'], (api, options) => api.apiKeys.list({ limit: namesMax }, options), {
    isEnabled: may('api_keys.list'),
  });
  const key = data?.data.find((one) => one.id === id);
  return key === undefined ? <IdLink id={id} /> : <Named id={id} name={key.name} />;
}

/** Only owners read about others, and open the pages of people; everybody knows their own email. */
function PersonName({ id }: { id: string }) {
  const { may, session } = useWorkspace();
  const isMe = id === session.user.id;
  const { data } = useRead(['users', 'names'], (api, options) => api.users.list({ limit: namesMax }, options), {
    isEnabled: may('users.list') && !isMe,
  });
  if (isMe && !may('users.retrieve')) return <>{session.user.email}</>;
  const person = isMe ? session.user : data?.data.find((one) => one.id === id);
  return person === undefined ? <IdLink id={id} /> : <Named id={id} name={person.email} />;
}

function EndpointName({ id }: { id: string }) {
  const { data } = useEndpoints();
  const endpoint = data?.data.find((one) => one.id === id);
  return endpoint === undefined ? <IdLink id={id} /> : <Named id={id} name={endpointName(endpoint)} />;
}

/** Those who may not read accounts see the id, and everybody that of a deleted one. */
function ProcessorName({ id }: { id: string }) {
  const account = useProcessorAccounts().find((one) => one.id === id);
  return account === undefined ? <IdLink id={id} /> : <Named id={id} name={account.name} />;
}
