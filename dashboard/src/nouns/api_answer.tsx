import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Json } from '../kit/json.tsx';
import { Status } from '../kit/status.tsx';
import type { ApiAnswer } from './sending.ts';

/** The status of an answer, in its colour. */
export function AnswerStatus({ status }: { status: number }) {
  return <Status status={String(status)} tone={status < 300 ? 'good' : status < 500 ? 'waiting' : 'bad'} />;
}

/** An answer that has just come: its status, the way to the log, and what it says. */
export function Answered({ answer }: { answer: ApiAnswer }) {
  const { status, milliseconds, requestId, body } = answer;
  return (
    <>
      <Group gap={12} px="md" py={10} role="status">
        <AnswerStatus status={status} />
        <span className="quiet">{milliseconds} ms</span>
        {requestId !== undefined && <Link to={`/request-log/${requestId}` as string}>{requestId}</Link>}
      </Group>
      <Json value={body} />
    </>
  );
}
