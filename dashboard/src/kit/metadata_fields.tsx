import { ActionIcon, Button, Input, TextInput } from '@mantine/core';
import type { Metadata } from '@tollgate/node';
import { useState } from 'react';
import { Icon } from './icon.tsx';
import style from './metadata.module.css';
import { type MetadataRow, metadataPatch, rowsOf, rowsProblem } from './metadata_patch.ts';

export type MetadataEditing = {
  rows: readonly MetadataRow[];
  onChange(rows: readonly MetadataRow[]): void;
  problem: string | undefined;
  patch: Record<string, string | null> | undefined;
};

export function useMetadata(before: Metadata = {}): MetadataEditing {
  const [rows, onChange] = useState<readonly MetadataRow[]>(() => rowsOf(before));
  return { rows, onChange, problem: rowsProblem(rows), patch: metadataPatch(before, rows) };
}

/** Keys and values to edit. */
export function MetadataFields({ rows, onChange, problem }: MetadataEditing) {
  const set = (key: number, changed: Partial<MetadataRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...changed } : row)));
  const next = Math.max(0, ...rows.map(({ key }) => key + 1));
  return (
    <Input.Wrapper labelElement="div" label="Metadata" error={problem}>
      <div className={style.rows}>
        {rows.map(({ key, name, value }, index) => (
          <div key={key} className={style.row}>
            <TextInput
              size="xs"
              aria-label={`Key ${index + 1}`}
              placeholder="Key"
              maxLength={40}
              value={name}
              onChange={(event) => set(key, { name: event.currentTarget.value })}
            />
            <TextInput
              size="xs"
              aria-label={`Value ${index + 1}`}
              placeholder="Value"
              maxLength={500}
              value={value}
              onChange={(event) => set(key, { value: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={30}
              aria-label={`Remove the key ${name || index + 1}`}
              onClick={() => onChange(rows.filter((row) => row.key !== key))}
            >
              <Icon name="close" size={12} />
            </ActionIcon>
          </div>
        ))}
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<Icon name="plus" size={12} />}
          onClick={() => onChange([...rows, { key: next, name: '', value: '' }])}
        >
          Add a key
        </Button>
      </div>
    </Input.Wrapper>
  );
}
