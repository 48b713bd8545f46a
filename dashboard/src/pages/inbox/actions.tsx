import type { Inbox } from '@tollgate/node';
import { confirmation, type OpenDialog } from '../../kit/action_dialog.tsx';
import { CreateButton } from '../../kit/create_button.tsx';
import { field, form } from '../../kit/form_dialog.tsx';
import { EventChoice } from '../../nouns/event_choice.tsx';
import { eventsInWords } from '../../nouns/event_types.ts';
import { meaningOf, responseField } from './answers.tsx';

export function NewInbox() {
  return <CreateButton title="Create inbox" calls="inbox.create" dialog={createInbox} />;
}

const createInbox = form({
  title: 'Create an inbox',
  isWide: true,
  fields: {
    enabled_events: field(['*'], (input) => <EventChoice {...input} />),
    answer: responseField('200'),
  },
  describe: ({ enabled_events, answer }) => ({
    confirm: 'Create the inbox',
    params: enabled_events.length === 0 ? undefined : { enabled_events, answer },
    preview: [
      `A webhook endpoint for the inbox is created. It receives: ${eventsInWords(enabled_events, 4) || 'the selected events'}.`,
      'Its deliveries are signed, retried and listed like all others. Nothing leaves the gateway.',
      'It keeps the latest 100 requests, for 24 hours.',
    ],
  }),
  run: (api, params, options) => api.inbox.create(params, options),
  done: () => 'Inbox created',
  leadsTo: ({ id }) => `/inbox/${id}`,
});

export function changeResponse(inbox: Inbox): OpenDialog {
  return form({
    title: 'Change the response',
    fields: { answer: responseField(inbox.answer) },
    describe: ({ answer }) => ({
      confirm: answer === 'timeout' ? 'Never respond' : `Respond with ${answer}`,
      params: answer === inbox.answer ? undefined : { answer },
      preview: [
        answer === inbox.answer
          ? 'No changes yet.'
          : `From the next delivery on, it responds with ${meaningOf(answer)}.`,
      ],
    }),
    run: (api, params, options) => api.inbox.update(inbox.id, params, options),
    done: (changed) => `Inbox response changed to ${changed.answer}`,
  });
}

export function deleteInbox(inbox: Inbox): OpenDialog {
  return confirmation({
    title: 'Delete the inbox',
    confirm: 'Delete the inbox',
    isDangerous: true,
    preview: ['Its webhook endpoint and everything it has received are deleted.', 'This cannot be undone.'],
    run: (api, options) => api.inbox.delete(inbox.id, options),
    done: () => 'Inbox deleted',
    leadsTo: () => '/inbox',
  });
}
