import { Text } from '@mantine/core';
import type { Inbox, InboxRequest } from '@tollgate/node';
import { tollgateCommand } from '../../kit/ca_file.ts';
import { CodeText, Headers } from '../../kit/code_text.tsx';
import type { Fold } from '../../kit/fold_list.tsx';
import { FoldSection } from '../../kit/fold_section.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import { Json } from '../../kit/json.tsx';
import { Status } from '../../kit/status.tsx';
import style from './received.module.css';

/** What has come, as it comes. */
export function Received({ inbox }: { inbox: Inbox }) {
  return (
    <FoldSection<InboxRequest>
      title="Received"
      aside={
        <Text span c="dimmed" size="xs">
          The latest 100, for 24 hours
        </Text>
      }
      queryKey={['inbox', inbox.id, 'requests']}
      load={(api, params, options) => api.inbox.listRequests(inbox.id, params, options)}
      fold={foldOf}
      empty={{
        text: 'Nothing received yet. Send a test event, or trigger a payment:',
        command: tollgateCommand('trigger payment.succeeded'),
      }}
    />
  );
}

function foldOf(request: InboxRequest): Fold {
  const { id, verified, answer, created, event } = request;
  const payload = payloadOf(request);
  return {
    key: id,
    title: typeOf(payload) ?? event,
    status: <Status status={verified ? 'verified' : 'not verified'} tone={verified ? 'good' : 'bad'} />,
    detail: answer === 'timeout' ? 'not answered' : `answered ${answer}`,
    at: created,
    body: () => <Request request={request} payload={payload} />,
  };
}

/** The body as it was parsed; undefined of one that is too large to be whole. */
function payloadOf({ body }: InboxRequest): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function typeOf(payload: unknown): string | undefined {
  const { type } = (payload ?? {}) as { type?: unknown };
  return typeof type === 'string' ? type : undefined;
}

function Request({ request, payload }: { request: InboxRequest; payload: unknown }) {
  const { headers, body, bytes, verified, event } = request;
  return (
    <div className={style.request}>
      <p>
        Event <IdLink id={event} /> · {bytes.toLocaleString()} bytes ·{' '}
        {verified ? 'both signatures are valid' : 'the signatures do not match the secret of the endpoint'}
      </p>
      <h3>Headers</h3>
      <Headers headers={headers} />
      <h3>Body</h3>
      {payload === undefined ? (
        <CodeText text={body} label="Copy the body" />
      ) : (
        <div className={style.body}>
          <Json value={payload} />
        </div>
      )}
    </div>
  );
}
