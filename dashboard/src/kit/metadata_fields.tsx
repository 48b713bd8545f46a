import { ActionIcon, Button, Input, TextInput } from '@mantine/core';
import type { Metadata } from '@tollgate/node';
import { useState } from 'react';
import { Icon } from './icon.tsx';
import { metadataChange, type Pair, pairsProblem } from './metadata_change.ts';
import style from './metadata_dialog.module.css';

export type MetadataEditing = {
  pairs: readonly Pair[];
  onChange(pairs: readonly Pair[]): void;
  problem: string | undefined;
  isSendable: boolean;
  /** What stays as it was is not sent. */
  changed: Record<string, string | null>;
  /** For an update of other fields too: nothing, where nothing has changed. */
  params: { metadata?: Record<string, string | null> };
};

export function useMetadata(metadata: Metadata = {}): MetadataEditing {
  const [pairs, onChange] = useState<readonly Pair[]>(() => [
    ...Object.entries(metadata).map(([key, value]) => ({ id: key, key, value: String(value) })),
    newPair(),
  ]);
  const problem = pairsProblem(pairs);
  const changed = metadataChange(metadata, pairs);
  const params = Object.keys(changed).length > 0 ? { metadata: changed } : {};
  return { pairs, onChange, problem, isSendable: problem === undefined, changed, params };
}

/** Keys and values of the merchant's own. */
export function MetadataFields({ pairs, onChange, problem }: MetadataEditing) {
  const set = (id: string, part: Partial<Pair>) =>
    onChange(pairs.map((pair) => (pair.id === id ? { ...pair, ...part } : pair)));
  return (
    <Input.Wrapper labelElement="div" label="Metadata" error={problem}>
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
              onClick={() => onChange(pairs.filter((pair) => pair.id !== id))}
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
          onClick={() => onChange([...pairs, newPair()])}
        >
          Add a key
        </Button>
      </div>
    </Input.Wrapper>
  );
}

function newPair(): Pair {
  return { id: crypto.randomUUID(), key: '', value: '' };
}

/** What will be another value, or gone. */
export function sentencesOf(changed: Readonly<Record<string, string | number | null>>): string[] {
  const entries = Object.entries(changed);
  if (entries.length === 0) return ['No changes yet.'];
  return entries.map(([key, value]) => (value === null ? `“${key}” is removed.` : `“${key}” becomes “${value}”.`));
}
