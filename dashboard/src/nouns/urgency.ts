import type { AttentionItem } from '@tollgate/node';

/** `7`, or `100+` where there are more than are counted. */
export function countOf(counts: readonly { count: number; has_more: boolean }[]): string {
  const sum = counts.reduce((all, { count }) => all + count, 0);
  return `${sum}${counts.some(({ has_more }) => has_more) ? '+' : ''}`;
}

/** The most urgent first, of all kinds: what can be too late before what only waits. */
export function byUrgency(items: readonly AttentionItem[]): AttentionItem[] {
  const due = items.filter(({ due_by }) => due_by !== undefined).toSorted((one, other) => one.due_by! - other.due_by!);
  const others = items.filter(({ due_by }) => due_by === undefined);
  return [...due, ...others.toSorted((one, other) => one.since - other.since)];
}

/** What helps, and the words of the operator's command at its end, if there is one. */
export type Action = { sentence: string; command?: string };

/** `canHere`: the reader can do it in the dashboard, and needs no command that is only another way. */
export function actionOf({ action }: Pick<AttentionItem, 'action'>, canHere = false): Action {
  const [, sentence, command] = /^(.*): tollgate (.+)$/s.exec(action) ?? [];
  if (sentence === undefined || command === undefined) return { sentence: action };
  const [, before] = /^(.*), or with the command$/s.exec(sentence) ?? [];
  return before !== undefined && canHere ? { sentence: `${before}.` } : { sentence: `${sentence}.`, command };
}

/** The sentence of all of several, which is then said once. */
export function sharedSentence(actions: readonly Action[]): string | undefined {
  const [first, ...others] = actions;
  return others.length > 0 && others.every(({ sentence }) => sentence === first!.sentence)
    ? first!.sentence
    : undefined;
}
