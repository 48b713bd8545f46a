import { useNavigate } from '@tanstack/react-router';
import type { Inbox } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { CreateButton } from '../../kit/create_button.tsx';
import { EventChoice } from '../../nouns/event_choice.tsx';
import { eventsInWords } from '../../nouns/event_types.ts';
import { AnswerChoice, type InboxAnswer, meaningOf } from './answers.tsx';

export function NewInbox() {
  return (
    <CreateButton title="Create inbox" right="change" dialog={(onClose) => <NewInboxDialog onClose={onClose} />} />
  );
}

function NewInboxDialog({ onClose }: { onClose(): void }) {
  const [enabled_events, setEvents] = useState(['*']);
  const [answer, setAnswer] = useState<InboxAnswer>('200');
  const navigate = useNavigate();
  return (
    <ActionDialog
      title="Create an inbox"
      confirm="Create the inbox"
      isWide
      params={enabled_events.length === 0 ? undefined : { enabled_events, answer }}
      preview={[
        `A webhook endpoint for the inbox is created. It receives: ${eventsInWords(enabled_events, 4) || 'the selected events'}.`,
        'Its deliveries are signed, retried and listed like all others. Nothing leaves the gateway.',
        'It keeps the latest 100 requests, for 24 hours.',
      ]}
      run={(api, params, options) => api.inbox.create(params, options)}
      done={() => 'Inbox created'}
      onDone={({ id }) => void navigate({ to: `/inbox/${id}` as string })}
      onClose={onClose}
    >
      <EventChoice chosen={enabled_events} onChange={setEvents} />
      <AnswerChoice answer={answer} onChange={setAnswer} />
    </ActionDialog>
  );
}

type DialogProps = { inbox: Inbox; onClose(): void };

export function AnswerDialog({ inbox, onClose }: DialogProps) {
  const [answer, setAnswer] = useState<InboxAnswer>(inbox.answer);
  return (
    <ActionDialog
      title="Change the response"
      confirm={answer === 'timeout' ? 'Never respond' : `Respond with ${answer}`}
      params={answer === inbox.answer ? undefined : { answer }}
      preview={[
        answer === inbox.answer
          ? 'No changes yet.'
          : `From the next delivery on, it responds with ${meaningOf(answer)}.`,
      ]}
      run={(api, params, options) => api.inbox.update(inbox.id, params, options)}
      done={(changed) => `Inbox response changed to ${changed.answer}`}
      onClose={onClose}
    >
      <AnswerChoice answer={answer} onChange={setAnswer} />
    </ActionDialog>
  );
}

export function DeleteDialog({ inbox, onClose }: DialogProps) {
  const navigate = useNavigate();
  return (
    <ActionDialog
      title="Delete the inbox"
      confirm="Delete the inbox"
      isDangerous
      params={{}}
      preview={['Its webhook endpoint and everything it has received are deleted.', 'This cannot be undone.']}
      run={(api, _, options) => api.inbox.delete(inbox.id, options)}
      done={() => 'Inbox deleted'}
      onDone={() => void navigate({ to: '/inbox' as string })}
      onClose={onClose}
    />
  );
}
