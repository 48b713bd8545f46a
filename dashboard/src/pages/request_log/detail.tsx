import { Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { RequestLog } from '@tollgate/node';
import { localCaFile } from '../../kit/ca_file.ts';
import { Command } from '../../kit/copy.tsx';
import { isRedacted } from '../../kit/curl.ts';
import { DetailPage, type Fact, Section } from '../../kit/detail_page.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import { Json } from '../../kit/json.tsx';
import { Moment } from '../../kit/moment.tsx';
import { Notice } from '../../kit/notice.tsx';
import { useRead } from '../../kit/read.ts';
import { NamedId } from '../../nouns/named_id.tsx';
import { AnswerStatus, Route } from './columns.tsx';
import { commandOf } from './sent.ts';

export function Detail({ id }: { id: string }) {
  const reading = useRead(['request_logs', id], (api, options) => api.requestLogs.retrieve(id, options));
  return (
    <DetailPage<RequestLog>
      reading={reading}
      list={{ path: '/request-log', title: 'Request log' }}
      id={id}
      headline={({ method, path }) => <Route method={method} path={path} />}
      status={({ status }) => <AnswerStatus status={status} />}
      facts={factsOf}
    >
      {(request) => <Sections request={request} />}
    </DetailPage>
  );
}

function factsOf(request: RequestLog): Fact[] {
  const { created_ms, duration_ms, error_code, api_key, user, address, object_id, operation, idempotency_key } =
    request;
  return [
    ['Error code', error_code && <a href={`/docs/errors#${encodeURIComponent(error_code)}`}>{error_code}</a>],
    ['Time', <Moment key="time" seconds={created_ms / 1_000} precision="millisecond" />],
    ['Duration', `${duration_ms} ms`],
    ['Key', api_key && <NamedId id={api_key} />],
    ['Person', user && <NamedId id={user} />],
    ['Object', object_id && <IdLink id={object_id} canCopy />],
    ['Operation', operation],
    ['Address', address],
    ['Idempotency key', idempotency_key],
  ];
}

function Sections({ request }: { request: RequestLog }) {
  const { parameters = {}, error_code, path, method, object_id } = request;
  const hasParameters = Object.keys(parameters).length > 0;
  const command = commandOf(request, { origin: location.origin, caFile: localCaFile() });
  return (
    <>
      {error_code !== undefined && <WhyRefused request={request} />}
      <Section title="Parameters" isFlush aside={<Others filter={{ method, path, error_code }} object={object_id} />}>
        {hasParameters ? (
          <Json value={parameters} />
        ) : (
          <Text c="dimmed" px="md" py={14}>
            No parameters.
          </Text>
        )}
      </Section>
      <Section title="Answer" isFlush>
        <Answer request={request} />
      </Section>
      <Section title="As curl">
        {command === undefined ? (
          <Text c="dimmed" mb={10}>
            Only people who are signed in can send this request, so there is no command for it.
          </Text>
        ) : (
          <>
            <Text c="dimmed" mb={10}>
              <code>$TOLLGATE_KEY</code> is one of your keys.
              {isRedacted(parameters) && ' Replace … with values: the log does not store them.'}
            </Text>
            <Command text={command} />
          </>
        )}
      </Section>
    </>
  );
}

function WhyRefused({ request: { error_code, error_message, error_param } }: { request: RequestLog }) {
  return (
    <Notice title={error_message ?? `Refused with ${error_code}`} tone="bad">
      {error_param !== undefined && (
        <>
          Parameter <code>{error_param}</code>.{' '}
        </>
      )}
      <a href={`/docs/errors#${encodeURIComponent(error_code!)}`}>What {error_code} means</a>
    </Notice>
  );
}

/** A refusal says the same as its answer did. Of others, the answer is saved in test mode, by the idempotency key, for a day. */
function Answer({ request }: { request: RequestLog }) {
  const { answer, error_code, error_message, error_param, object_id } = request;
  if (answer !== undefined) return <Json value={answer} />;
  if (error_message !== undefined)
    return (
      <Json
        value={{
          error: { code: error_code, message: error_message, ...(error_param !== undefined && { param: error_param }) },
        }}
      />
    );
  return (
    <Text c="dimmed" px="md" py={14}>
      The log has no copy of this answer. In test mode, answers to requests with an idempotency key are shown for 24
      hours.
      {object_id !== undefined && (
        <>
          {' '}
          The object as it is now: <IdLink id={object_id} />
        </>
      )}
    </Text>
  );
}

type OthersProps = { filter: Record<string, string | undefined>; object: string | undefined };

/** The way to requests like this one. */
function Others({ filter, object }: OthersProps) {
  return (
    <Group gap={12}>
      {object !== undefined && (
        <Link to="/request-log" search={{ object_id: object } as never}>
          Same object
        </Link>
      )}
      <Link to="/request-log" search={filter as never}>
        {filter.error_code === undefined ? 'Same route' : 'Same error'}
      </Link>
    </Group>
  );
}
