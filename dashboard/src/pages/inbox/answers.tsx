import { Radio, Stack } from '@mantine/core';
import type { Inbox } from '@tollgate/node';
import { Status } from '../../kit/status.tsx';

export type InboxAnswer = Inbox['answer'];

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

export function AnswerChoice({ answer, onChange }: { answer: InboxAnswer; onChange(answer: InboxAnswer): void }) {
  return (
    <Radio.Group label="Response" value={answer} onChange={(value) => onChange(value as InboxAnswer)}>
      <Stack gap={8} mt={6}>
        {meanings.map(([one, meaning]) => (
          <Radio key={one} size="xs" value={one} label={`${one === 'timeout' ? 'Not at all' : one}: ${meaning}`} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
