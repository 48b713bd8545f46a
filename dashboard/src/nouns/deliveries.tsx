import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { WebhookAttempt, WebhookDelivery } from '@tollgate/node';
import type { ReactNode } from 'react';
import { CodeText, Headers } from '../kit/code_text.tsx';
import { counted } from '../kit/counted.ts';
import { Failure } from '../kit/failure.tsx';
import type { Fold } from '../kit/fold_list.tsx';
import { Json } from '../kit/json.tsx';
import { Moment } from '../kit/moment.tsx';
import { useRead } from '../kit/read.ts';
import { Status, type Tone } from '../kit/status.tsx';
import style from './deliveries.module.css';

/** A delivery that is tried again is worth knowing at a glance. */
export function deliveryStatus({ status, attempts }: WebhookDelivery): { status: string; tone: Tone } {
  if (status === 'delivered') return { status, tone: 'good' };
  if (status === 'pending')
    return attempts.length === 0 ? { status, tone: 'waiting' } : { status: 'retrying', tone: 'bad' };
  return { status, tone: status === 'exhausted' ? 'bad' : 'quiet' };
}

/** `500`, `the connection was refused`. */
const outcomeOf = ({ status, error }: WebhookAttempt): string => String(error ?? status ?? 'no answer');

function detailOf({ attempts }: WebhookDelivery): string {
  const last = attempts.at(-1);
  if (last === undefined) return 'no attempts yet';
  return `${counted(attempts.length, 'attempt')}, last: ${outcomeOf(last)}`;
}

type FoldOptions = { title: ReactNode; url: string; actions?: ReactNode };

/** A delivery as a row that can be opened: what was sent, and what was answered. */
export function deliveryFold(delivery: WebhookDelivery, { title, url, actions }: FoldOptions): Fold {
  return {
    key: delivery.id,
    title,
    status: <Status {...deliveryStatus(delivery)} />,
    detail: detailOf(delivery),
    at: delivery.created,
    body: () => <Delivery delivery={delivery} url={url} actions={actions} />,
  };
}

function Delivery({ delivery, url, actions }: { delivery: WebhookDelivery } & Pick<FoldOptions, 'url' | 'actions'>) {
  return (
    <div className={style.delivery}>
      <div className={style.top}>
        <Link to={`/events/${delivery.event}` as string}>{delivery.event}</Link>
        {delivery.next_attempt_at !== undefined && (
          <span>
            Next attempt: <Moment seconds={delivery.next_attempt_at} />
          </span>
        )}
        <div className={style.actions}>{actions}</div>
      </div>
      <section>
        <h3>Attempts</h3>
        {delivery.attempts.length === 0 && (
          <Text c="dimmed" inherit>
            No attempts yet.
          </Text>
        )}
        <Stack component="ol" gap={12}>
          {delivery.attempts.toReversed().map((attempt, index) => (
            <Attempt
              // biome-ignore lint/suspicious/noArrayIndexKey: attempts have no ids, and several can have the same second
              key={index}
              attempt={attempt}
            />
          ))}
        </Stack>
      </section>
      <section>
        <h3>Request</h3>
        <Request delivery={delivery} url={url} />
      </section>
    </div>
  );
}

function Attempt({ attempt }: { attempt: WebhookAttempt }) {
  const { at, duration_ms, status, error, response } = attempt;
  const isGood = error === undefined && status !== undefined && status >= 200 && status < 300;
  return (
    <li>
      <Group gap={12} mb={6} wrap="nowrap">
        <Status status={status === undefined ? 'no answer' : `HTTP ${status}`} tone={isGood ? 'good' : 'bad'} />
        <span className="quiet">{duration_ms} ms</span>
        <Text span inherit c="dimmed" ml="auto">
          <Moment seconds={at} precision="second" />
        </Text>
      </Group>
      {error !== undefined && <p className={style.error}>{error}</p>}
      {response ? (
        <CodeText text={response} label="Copy response" />
      ) : (
        error === undefined && (
          <Text c="dimmed" inherit>
            The response had no body.
          </Text>
        )
      )}
    </li>
  );
}

/** What stays of a request. The signatures are made for each attempt, and not kept. */
function Request({ delivery, url }: { delivery: WebhookDelivery; url: string }) {
  const { event } = delivery;
  const { data, error } = useRead(['events', event], (api, options) => api.events.retrieve(event, options));
  const last = delivery.attempts.at(-1);
  return (
    <>
      <p className={style.line}>
        <strong>POST</strong> {url}
      </p>
      <Headers
        headers={{
          'Content-Type': 'application/json',
          'User-Agent': 'Tollgate/1 (webhooks)',
          'webhook-id': event,
          ...(last !== undefined && { 'webhook-timestamp': String(last.at) }),
          'webhook-signature': 'v1,… (new for each attempt, not stored)',
          'X-Service-Signature': '… (computed with the secret, not stored)',
        }}
      />
      <div className={style.payload}>
        {error !== null && <Failure error={error} />}
        {data === undefined && error === null && <Skeleton height={160} />}
        {data !== undefined && <Json value={data} />}
      </div>
    </>
  );
}
