import type { Inbox } from '@tollgate/node';
import { radioField } from '../../kit/form_dialog.tsx';
import { Status } from '../../kit/status.tsx';

type InboxAnswer = Inbox['answer'];

const meanings: readonly (readonly [answer: InboxAnswer, meaning: string])[] = [
  ['200', 'a success'],
  ['500', 'a failure, which is retried'],
  ['410', 'gone, which disables the endpoint'],
  ['timeout', 'no response for 15 seconds, which is retried'],
];

/** `Answers 200`, `Never answers`. */
export function Answers({ answer }: { answer: InboxAnswer }) {
  const words = answer === 'timeout' ? 'never responds' : `responds ${answer}`;
  return <Status status={words} tone={answer === '200' ? 'good' : 'bad'} />;
}

/** What follows when an inbox answers so. */
export const meaningOf = (answer: InboxAnswer): string => new Map(meanings).get(answer)!;

export function responseField(initial: InboxAnswer) {
  const choices = meanings.map(([answer, meaning]) => {
    return [answer, `${answer === 'timeout' ? 'Not at all' : answer}: ${meaning}`] as const;
  });
  return radioField<InboxAnswer>('Response', choices, initial);
}
