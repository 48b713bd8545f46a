import { Text } from '@mantine/core';
import type { RequestLog } from '@tollgate/node';
import type { ReactNode } from 'react';
import { CodeText } from '../kit/code_text.tsx';
import { IdLink } from '../kit/id_link.tsx';
import { Json } from '../kit/json.tsx';
import { useWorkspace } from '../session/workspace.tsx';

/** What was sent, as far as the log keeps it. */
export function SentParameters({ request: { parameters = {}, parameters_start } }: { request: RequestLog }) {
  if (parameters_start !== undefined) return <Beginning text={parameters_start} />;
  if (Object.keys(parameters).length === 0) return <Words>No parameters.</Words>;
  return <Json value={parameters} />;
}

/** What came back. A refusal of live mode says the same as its answer did. */
export function ShownResponse({ request }: { request: RequestLog }) {
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
