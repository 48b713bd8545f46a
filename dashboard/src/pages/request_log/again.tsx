import { Button, Text } from '@mantine/core';
import type { RequestLog } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { Section } from '../../kit/detail_page.tsx';
import { Answered } from '../../nouns/api_answer.tsx';
import { type ApiAnswer, sendRequest } from '../../nouns/sending.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { sentOf, whyNotAgain } from './sent.ts';

/** In test mode: sends the request again, as the person who has signed in. */
export function Again({ request }: { request: RequestLog }) {
  const workspace = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  const [answer, setAnswer] = useState<ApiAnswer>();
  if (workspace.mode !== 'test') return null;
  const reason = whyNotAgain(request, workspace);
  const button = (
    <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
      Send again
    </Button>
  );
  return (
    <Section title="Send again" isFlush aside={reason === undefined && button}>
      {answer === undefined ? (
        <Text c="dimmed" px="md" py={14}>
          {reason === undefined ? 'As you, in test mode, with a new idempotency key.' : `Not possible. ${reason}`}
        </Text>
      ) : (
        <div key={answer.requestId} ref={scrollIntoSight}>
          <Answered answer={answer} />
        </div>
      )}
      {isOpen && <AgainDialog request={request} onAnswer={setAnswer} onClose={() => setOpen(false)} />}
    </Section>
  );
}

/** Declared once: a new function would scroll back with every update of the page. */
const scrollIntoSight = (shown: HTMLElement | null) => shown?.scrollIntoView({ block: 'nearest' });

type DialogProps = { request: RequestLog; onAnswer(answer: ApiAnswer): void; onClose(): void };

function AgainDialog({ request, onAnswer, onClose }: DialogProps) {
  const { session } = useWorkspace();
  const sent = sentOf(request);
  const isRead = sent.method === 'GET';
  return (
    <ActionDialog
      title="Send this request again"
      preview={[
        <>
          <code>
            {sent.method} {sent.path}
          </code>{' '}
          is sent with the same parameters.
        </>,
        `It is sent as ${session.user.email}, with your role, in test mode.`,
        isRead ? 'It changes nothing.' : 'It has a new idempotency key, so it takes effect again. No real money moves.',
      ]}
      confirm="Send again"
      params={sent}
      run={(api, params, options) => sendRequest(api, params, options)}
      done={({ status }) => `Answered with ${status}`}
      onDone={onAnswer}
      onClose={onClose}
    />
  );
}
