import { Button, Select, Stack, TextInput } from '@mantine/core';
import type { Tollgate } from '@tollgate/node';
import { useState } from 'react';
import type { Filter, ObjectFilter } from '../kit/filters.ts';
import { useRead } from '../kit/read.ts';
import { useWorkspace } from '../session/workspace.tsx';

type Named = { id: string; name: string };

/** Those who send requests and change things. They are few, so that all are read, and not in the index of the search. */
type Senders = {
  /** For the cache: it begins with the noun. */
  key: readonly string[];
  /** The operation that a role must be able to call to see the names. */
  calls: 'api_keys.list' | 'users.list';
  prefix: string;
  read(api: Tollgate, options: { signal: AbortSignal }): Promise<Named[]>;
};

const pageMax = 100;
/** More are found by their id alone. */
const namedMax = 1_000;

async function upTo<Item>(items: AsyncIterable<Item>, wordsOf: (item: Item) => Named): Promise<Named[]> {
  const found: Named[] = [];
  for await (const item of items) {
    found.push(wordsOf(item));
    if (found.length === namedMax) break;
  }
  return found;
}

const keys: Senders = {
  key: ['api_keys', 'all names'],
  calls: 'api_keys.list',
  prefix: 'key_',
  read: (api, options) =>
    upTo(api.apiKeys.list({ limit: pageMax }, options), ({ id, name, hint }) => ({ id, name: `${name} (…${hint})` })),
};

const people: Senders = {
  key: ['users', 'all names'],
  calls: 'users.list',
  prefix: 'usr_',
  read: (api, options) => upTo(api.users.list({ limit: pageMax }, options), ({ id, email }) => ({ id, name: email })),
};

/** Undefined for those who may not read the names. Everybody knows their own email. */
function useNames({ key, calls, read }: Senders): readonly Named[] | undefined {
  const { may, session } = useWorkspace();
  const { data } = useRead(key, read, { isEnabled: may(calls) });
  if (may(calls)) return data ?? [];
  return calls === 'users.list' ? [{ id: session.user.id, name: session.user.email }] : undefined;
}

type FieldProps = { of: Senders; title: string; value: string; onChange(value: string): void };

/** By name for those who may read the names; by id for everybody. */
function SenderField({ of, title, value, onChange }: FieldProps) {
  const names = useNames(of);
  const { may } = useWorkspace();
  const known = names?.some(({ id }) => id === value) ? value : null;
  return (
    <Stack gap="xs" w={260}>
      {names !== undefined && (
        <Select
          size="xs"
          label={title}
          placeholder="Select by name"
          searchable
          data={names.map(({ id, name }) => ({ value: id, label: name }))}
          value={known}
          onChange={(id) => id !== null && onChange(id)}
          nothingFoundMessage="No results"
          comboboxProps={{ withinPortal: false }}
        />
      )}
      {!may(of.calls) && <IdField of={of} title={title} value={known === null ? value : ''} onChange={onChange} />}
    </Stack>
  );
}

function IdField({ of: { prefix }, title, value, onChange }: FieldProps) {
  const [typed, setTyped] = useState(value);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== '') onChange(typed.trim());
      }}
    >
      <Stack gap="xs">
        <TextInput
          size="xs"
          label={`${title} by ID`}
          placeholder={`${prefix}…`}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" size="xs">
          Apply
        </Button>
      </Stack>
    </form>
  );
}

function SenderName({ of, value }: { of: Senders; value: string }) {
  return <>{useNames(of)?.find(({ id }) => id === value)?.name ?? value}</>;
}

function senderFilter(of: Senders, name: string, title: string): Filter & ObjectFilter {
  return {
    kind: 'object',
    name,
    title,
    max: 1,
    Select: (props) => <SenderField of={of} title={title} {...props} />,
    Name: ({ value }) => <SenderName of={of} value={value} />,
  };
}

export const keyFilter = senderFilter(keys, 'api_key', 'Key');
export const personFilter = senderFilter(people, 'user', 'Person');
