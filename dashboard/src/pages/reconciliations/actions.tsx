import type { ReconciliationDifference } from '@tollgate/node';
import type { OpenDialog } from '../../kit/action_dialog.tsx';
import { form, textareaField } from '../../kit/form_dialog.tsx';
import { differenceWords } from './words.ts';

const noteMax = 1_000;

/** What it is about, at the beginning of a sentence. */
const nameOf = ({ what, kind, reference }: ReconciliationDifference) =>
  `${differenceWords[what]}: ${kind} ${reference}.`;

export function acceptDifference(difference: ReconciliationDifference): OpenDialog {
  const { id } = difference;
  return form({
    title: 'Accept the difference',
    draftName: `accept ${id}`,
    fields: {
      note: textareaField('Why it is accepted', '', {
        description: 'An auditor reads it later: what explains the difference?',
        minRows: 2,
        maxRows: 8,
        maxLength: noteMax,
        hasFocus: true,
      }),
    },
    describe: ({ note: text }) => ({
      params: text.trim() === '' ? undefined : { note: text.trim() },
      preview: [
        `${nameOf(difference)} It is explained, and no longer needs attention.`,
        'The ledger and the balance do not change. Your email, the time and the reason are kept.',
        'When the day is compared again, it stays accepted unless its amounts have changed.',
      ],
      confirm: 'Accept the difference',
    }),
    run: (api, params, options) => api.reconciliationDifferences.accept(id, params, options),
    done: () => 'Difference accepted',
  });
}

export function followUpDifference(difference: ReconciliationDifference): OpenDialog {
  const { id, status, note = '' } = difference;
  return form({
    title: 'Follow up the difference',
    draftName: `follow up ${id}`,
    fields: {
      note: textareaField('What is being done', status === 'following_up' ? note : '', {
        description: 'Optional, such as the number of a case at the processor.',
        minRows: 2,
        maxRows: 8,
        maxLength: noteMax,
        hasFocus: true,
      }),
    },
    describe: ({ note: text }) => ({
      params: text.trim() === '' ? {} : { note: text.trim() },
      preview: [
        `${nameOf(difference)} Others see that you are looking into it.`,
        status === 'accepted'
          ? 'It is no longer accepted, and needs attention again.'
          : 'It still needs attention until it is accepted, or no longer found when the day is compared again.',
      ],
      confirm: 'Follow up',
    }),
    run: (api, params, options) => api.reconciliationDifferences.followUp(id, params, options),
    done: () => 'You are following up',
  });
}
