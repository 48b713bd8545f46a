import { Select } from '@mantine/core';
import type { Tollgate } from '@tollgate/node';
import { useState } from 'react';
import { useRead } from './read.ts';

type Choice = { value: string; label: string };
type Call = { signal: AbortSignal };

type SelectProps<Item> = {
  label: string;
  description?: string;
  placeholder?: string;
  /** For the cache. */
  name: string;
  value: string | null;
  onChange(value: string | null): void;
  /** The newest ones, to choose from. */
  list(api: Tollgate, options: Call): PromiseLike<{ data: readonly Item[] }>;
  /** One that is not among them, by what was typed: its id, or another name of it. */
  find(api: Tollgate, typed: string, options: Call): PromiseLike<Item | undefined>;
  /** Whether what was typed can be found. */
  isFindable(typed: string): boolean;
  words(item: Item): string;
  hasFocus?: boolean;
  isClearable?: boolean;
};

/** An object to choose: from the newest ones, by a part of their names, or by its id. */
export function ObjectSelect<Item extends { id: string }>(props: SelectProps<Item>) {
  const { label, description, placeholder, name, value, onChange, hasFocus = false, isClearable = false } = props;
  const [typed, setTyped] = useState('');
  const newest = useRead([name, 'choices'], props.list);
  const wanted = props.isFindable(typed.trim()) ? typed.trim() : value;
  const found = useRead(
    [name, 'choice', wanted],
    async (api, options) => (await props.find(api, wanted!, options)) ?? null,
    {
      isEnabled: wanted !== null && newest.data !== undefined && !newest.data.data.some(({ id }) => id === wanted),
    },
  );
  const items = [...(newest.data?.data ?? [])];
  if (found.data && !items.some(({ id }) => id === found.data?.id)) items.push(found.data);
  const choices = items.map((item): Choice => ({ value: item.id, label: props.words(item) }));
  return (
    <Select
      label={label}
      description={description}
      placeholder={placeholder ?? 'Select or paste an ID'}
      searchable
      clearable={isClearable}
      data={choices}
      value={value}
      onChange={onChange}
      onSearchChange={setTyped}
      filter={({ options, search }) =>
        (options as Choice[]).filter(
          (choice) => fits(choice, search) || (found.data?.id === choice.value && wanted === search.trim()),
        )
      }
      nothingFoundMessage="No results"
      data-autofocus={hasFocus || undefined}
    />
  );
}

function fits({ value, label }: Choice, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return value.toLowerCase().startsWith(wanted) || label.toLowerCase().includes(wanted);
}
