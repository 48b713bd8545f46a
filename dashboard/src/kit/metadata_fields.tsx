import { Group, Input, Stack, TextInput } from '@mantine/core';
import type { Event, Metadata, RequestOptions, Tollgate } from '@tollgate/node';
import type { OpenDialog } from './action_dialog.tsx';
import type { InputProps } from './dialog_form.tsx';
import { endpointsGet } from './endpoints_get.tsx';
import { type Field, field, form } from './form_dialog.tsx';
import { describeUpdate, type Pair, pairsProblem } from './metadata_change.ts';
import { AddRow, RemoveRow } from './row_buttons.tsx';

type MetadataDescriptor = {
  metadata: Metadata | undefined;
  /** The event of the change, where there is one. */
  event?: Event['type'];
  run(api: Tollgate, params: { metadata?: Record<string, unknown> }, options: RequestOptions): PromiseLike<unknown>;
};

/** The dialog of objects of which nothing else is changed with it. */
export function editMetadata({ metadata = {}, event, run }: MetadataDescriptor): OpenDialog {
  return form({
    title: 'Edit metadata',
    fields: { metadata: metadataField(metadata) },
    describe({ metadata: pairs }) {
      const { params, sentences } = describeUpdate({}, metadata, pairs);
      return {
        confirm: 'Save metadata',
        params,
        preview: [...sentences, ...(event === undefined ? [] : [endpointsGet(event)])],
      };
    },
    run,
    done: () => 'Metadata saved',
  });
}

/** Keys and values of the merchant's own. */
export function metadataField(metadata: Metadata = {}): Field<readonly Pair[]> {
  const pairs = Object.entries(metadata).map(([key, value]) => ({ id: key, key, value: String(value) }));
  return field<readonly Pair[]>([...pairs, newPair()], (input) => <MetadataInput {...input} />);
}

function newPair(): Pair {
  return { id: crypto.randomUUID(), key: '', value: '' };
}

function MetadataInput({ value: pairs, onChange, error, ...input }: InputProps<readonly Pair[]>) {
  const set = (id: string, part: Partial<Pair>) =>
    onChange(pairs.map((pair) => (pair.id === id ? { ...pair, ...part } : pair)));
  return (
    <Input.Wrapper labelElement="div" label="Metadata" error={pairsProblem(pairs) ?? error} {...input}>
      <Stack gap={8}>
        {pairs.map(({ id, key, value }, index) => (
          <Group key={id} gap={8} wrap="nowrap">
            <TextInput
              flex={2}
              miw={0}
              aria-label={`Key ${index + 1}`}
              placeholder="Key"
              maxLength={40}
              value={key}
              onChange={(change) => set(id, { key: change.currentTarget.value })}
            />
            <TextInput
              flex={3}
              miw={0}
              aria-label={`Value ${index + 1}`}
              placeholder="Value"
              maxLength={500}
              value={value}
              onChange={(change) => set(id, { value: change.currentTarget.value })}
            />
            <RemoveRow
              label={`Remove pair ${index + 1}`}
              onClick={() => onChange(pairs.filter((pair) => pair.id !== id))}
            />
          </Group>
        ))}
        <AddRow label="Add a key" onClick={() => onChange([...pairs, newPair()])} />
      </Stack>
    </Input.Wrapper>
  );
}
