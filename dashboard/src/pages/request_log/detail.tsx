import { Group, SegmentedControl, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { RequestLog } from '@tollgate/node';
import type { ReactNode } from 'react';
import { localCaFile } from '../../kit/ca_file.ts';
import { CodeText } from '../../kit/code_text.tsx';
import { Command } from '../../kit/copy.tsx';
import { isRedacted } from '../../kit/curl.ts';
import { DetailPage, type Fact, Section } from '../../kit/detail_page.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import { Json } from '../../kit/json.tsx';
import { Moment } from '../../kit/moment.tsx';
import { Notice } from '../../kit/notice.tsx';
import { useRead } from '../../kit/read.ts';
import { AnswerStatus } from '../../nouns/api_answer.tsx';
import { NamedId } from '../../nouns/named_id.tsx';
import { useWorkspace } from '../../session/workspace.tsx';
import { Again } from './again.tsx';
import { Route } from './columns.tsx';
import { codeOf } from './sent.ts';

export function Detail({ id }: { id: string }) {
  const reading = useRead(['request_logs', id], (api, options) => api.requestLogs.retrieve(id, options));
  return (
    <DetailPage<RequestLog>
      reading={reading}
      list={{ path: '/request-log', title: 'Request log' }}
      id={id}
      headline={({ method, path }) => <Route method={method} path={path} />}
      status={({ status }) => <AnswerStatus status={status} />}
      notice={(request) => request.error_code !== undefined && <WhyRefused request={request} />}
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
  const { path, method, object_id, error_code } = request;
  return (
    <>
      <Section title="Request" isFlush aside={<Others filter={{ method, path, error_code }} object={object_id} />}>
        <Parameters request={request} />
      </Section>
      <Section title="Response" isFlush>
        <Response request={request} />
      </Section>
      <Again request={request} />
      <AsCode request={request} />
    </>
  );
}

function Parameters({ request: { parameters = {}, parameters_start } }: { request: RequestLog }) {
  if (parameters_start !== undefined) return <Beginning text={parameters_start} />;
  if (Object.keys(parameters).length === 0) return <Words>No parameters.</Words>;
  return <Json value={parameters} />;
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

/** A refusal of live mode says the same as its answer did. */
function Response({ request }: { request: RequestLog }) {
  const { mode } = useWorkspace();
  const { answer, answer_start, error_code, error_message, error_param, object_id } = request;
  if (answer !== undefined) return <Json value={answer} />;
  if (answer_start !== undefined) return <Beginning text={answer_start} />;
  if (error_message !== undefined)
    return <Json value={{ error: { code: error_code, message: error_message, param: error_param } }} />;
  return (
    <Words>
      {mode === 'test'
        ? 'The log keeps the response for 7 days, except of what people do for themselves, exports, the log and timelines.'
        : 'In live mode the log does not keep the response.'}
      {object_id !== undefined && (
        <>
          {' '}
          The object as it is now: <IdLink id={object_id} />
        </>
      )}
    </Words>
  );
}

/** The first 8 KiB. */
function Beginning({ text }: { text: string }) {
  return (
    <>
      <CodeText text={text} label="Copy the beginning" />
      <Words>The log keeps the first 8 KiB.</Words>
    </>
  );
}

function Words({ children }: { children: ReactNode }) {
  return (
    <Text c="dimmed" px="md" py={14}>
      {children}
    </Text>
  );
}

function AsCode({ request }: { request: RequestLog }) {
  const [language, setLanguage] = useLocalStorage<'curl' | 'typescript'>({
    key: 'tollgate.code',
    defaultValue: 'curl',
    getInitialValueInEffect: false,
  });
  const code = codeOf(request, { origin: location.origin, caFile: localCaFile() });
  const choice = (
    <SegmentedControl
      size="xs"
      aria-label="Language"
      value={language}
      onChange={(value) => setLanguage(value as typeof language)}
      data={[
        { value: 'curl', label: 'curl' },
        { value: 'typescript', label: 'TypeScript' },
      ]}
    />
  );
  return (
    <Section title="As code" aside={code && choice}>
      {code === undefined ? (
        <Text c="dimmed">Only people who are signed in can send this request, so there is no command for it.</Text>
      ) : (
        <>
          <Text c="dimmed" mb={10}>
            Set <code>TOLLGATE_KEY</code> to one of your keys.
            {isRedacted(request.parameters) && ' Replace … with values: the log does not store them.'}
          </Text>
          <Command text={code[language]} label={language === 'curl' ? 'Copy the command' : 'Copy the program'} />
        </>
      )}
    </Section>
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
