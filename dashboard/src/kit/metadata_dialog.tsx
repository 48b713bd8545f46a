import { ActionIcon, Button, TextInput } from '@mantine/core';
import type { Metadata, RequestOptions, Tollgate } from '@tollgate/node';
import { type ReactNode, useState } from 'react';
import { ActionDialog } from './action_dialog.tsx';
import { Icon } from './icon.tsx';
import { metadataChange, type Pair } from './metadata_change.ts';
import style from './metadata_dialog.module.css';

type MetadataProps = {
  metadata: Metadata | undefined;
  /** The event of the change. */
  event: string;
  run(api: Tollgate, params: { metadata: Record<string, unknown> }, options: RequestOptions): PromiseLike<unknown>;
  onClose(): void;
};

/** Keys and values of the merchant's own. What stays as it was is not sent. */
export function MetadataDialog({ metadata = {}, event, run, onClose }: MetadataProps) {
  const [pairs, setPairs] = useState<Pair[]>(() => [
    ...Object.entries(metadata).map(([key, value]) => ({ id: key, key, value: String(value) })),
    newPair(),
  ]);
  const changed = metadataChange(metadata, pairs);
  const set = (id: string, part: Partial<Pair>) =>
    setPairs((before) => before.map((pair) => (pair.id === id ? { ...pair, ...part } : pair)));
  return (
    <ActionDialog
      title="Edit the metadata"
      confirm="Save the metadata"
      params={Object.keys(changed).length === 0 ? undefined : { metadata: changed }}
      preview={[...sentencesOf(changed), <EventSentence key="event" event={event} />]}
      run={run}
      done={() => 'The metadata is saved'}
      onClose={onClose}
    >
      <div className={style.pairs}>
        {pairs.map(({ id, key, value }, index) => (
          <div key={id} className={style.pair}>
            <TextInput
              aria-label={`Key ${index + 1}`}
              placeholder="Key"
              maxLength={40}
              value={key}
              onChange={(change) => set(id, { key: change.currentTarget.value })}
            />
            <TextInput
              aria-label={`Value ${index + 1}`}
              placeholder="Value"
              maxLength={500}
              value={value}
              onChange={(change) => set(id, { value: change.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={34}
              aria-label={`Remove pair ${index + 1}`}
              onClick={() => setPairs((before) => before.filter((pair) => pair.id !== id))}
            >
              <Icon name="close" size={14} />
            </ActionIcon>
          </div>
        ))}
        <Button
          variant="subtle"
          size="xs"
          className={style.add}
          leftSection={<Icon name="plus" size={12} />}
          onClick={() => setPairs((before) => [...before, newPair()])}
        >
          Add a key
        </Button>
      </div>
    </ActionDialog>
  );
}

function newPair(): Pair {
  return { id: crypto.randomUUID(), key: '', value: '' };
}

function sentencesOf(changed: Record<string, string | null>): ReactNode[] {
  const entries = Object.entries(changed);
  if (entries.length === 0) return ['Nothing has changed yet.'];
  return entries.map(([key, value]) => (value === null ? `“${key}” is removed.` : `“${key}” becomes “${value}”.`));
}

function EventSentence({ event }: { event: string }) {
  return (
    <>
      Your webhook endpoints get <code>{event}</code>.
    </>
  );
}
