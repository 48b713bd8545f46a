import { Group, SegmentedControl, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { RequestLog } from '@tollgate/node';
import { localCaFile } from '../../kit/ca_file.ts';
import { Command } from '../../kit/copy.tsx';
import { isRedacted } from '../../kit/curl.ts';
import { DetailPage, type Fact, Section } from '../../kit/detail_page.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import { Moment } from '../../kit/moment.tsx';
import { Notice } from '../../kit/notice.tsx';
import { useRead } from '../../kit/read.ts';
import { AnswerStatus } from '../../nouns/api_answer.tsx';
import { NamedId } from '../../nouns/named_id.tsx';
import { SentParameters, ShownResponse } from '../../nouns/request_parts.tsx';
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
        <SentParameters request={request} />
      </Section>
      <Section title="Response" isFlush>
        <ShownResponse request={request} />
      </Section>
      <Again request={request} />
      <AsCode request={request} />
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
