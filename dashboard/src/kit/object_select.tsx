import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Tollgate } from '@tollgate/node';
import { useState } from 'react';
import type { ValueProps } from './dialog_form.tsx';
import { findIds, type SearchKind } from './found_ids.ts';
import { useRead } from './read.ts';

type Choice = { value: string; label: string };
type Call = { signal: AbortSignal };

/** A kind of object that can be chosen. */
export type Choosable<Item> = {
  kind: SearchKind;
  /** For the cache. */
  name: string;
  /** The newest, or those with the ids. */
  list(api: Tollgate, params: { limit: number; ids?: string[] }, options: Call): PromiseLike<{ data: readonly Item[] }>;
  words(item: Item): string;
};

type SelectProps<Item> = ValueProps<string | null> & {
  of: Choosable<Item>;
  label: string;
  description?: string | undefined;
  placeholder?: string | undefined;
  /** What is typed, where words are a choice too. */
  onType?(typed: string): void;
  hasFocus?: boolean;
  isClearable?: boolean;
  /** In a popover, which closes when somebody clicks outside of it. */
  isWithin?: boolean;
};

const choicesMax = 20;
const pauseMs = 200;

/** An object to choose: from the newest ones, or from all by words or its id. */
export function ObjectSelect<Item extends { id: string }>(props: SelectProps<Item>) {
  const { of, label, description, placeholder, onType, hasFocus, isClearable, isWithin, ...input } = props;
  const { value } = input;
  const [typed, setTyped] = useState('');
  const chosen = useRead([of.name, 'choice', value], (api, options) => byIds(api, of, [value!], options), {
    isEnabled: value !== null,
  });
  const newest = useRead([of.name, 'choices'], (api, options) => of.list(api, { limit: choicesMax }, options));
  const isShown = chosen.data?.data.some((item) => of.words(item) === typed) ?? false;
  const words = isShown ? '' : typed.trim();
  const found = useFound(of, words);
  const recent = (newest.data?.data ?? []).filter((item) => fits(item, of.words(item), words));
  const items = new Map([...recent, ...found.items, ...(chosen.data?.data ?? [])].map((item) => [item.id, item]));
  const choices = [...items.values()].map((item): Choice => ({ value: item.id, label: of.words(item) }));
  return (
    <Select
      label={label}
      description={description}
      placeholder={placeholder ?? 'Name or ID'}
      searchable
      clearable={isClearable ?? false}
      data={choices}
      // Its list would cover what is wrong with it.
      openOnFocus={!input.error}
      {...input}
      onSearchChange={(text) => {
        setTyped(text);
        onType?.(text.trim());
      }}
      // What is there has been found already.
      filter={({ options }) => options}
      nothingFoundMessage={found.isPending ? 'Searching' : 'No results'}
      comboboxProps={{ withinPortal: !isWithin }}
      data-autofocus={hasFocus || undefined}
    />
  );
}

/** What words find, when the typing pauses. */
function useFound<Item extends { id: string }>(of: Choosable<Item>, words: string) {
  const [settled] = useDebouncedValue(words, pauseMs);
  const { data, error } = useRead(
    [of.name, 'found', settled],
    async (api, options) => {
      const { ids } = await findIds(api, { kind: of.kind, words: settled, limit: choicesMax }, options);
      return ids.length === 0 ? { data: [] } : byIds(api, of, ids, options);
    },
    { isEnabled: settled !== '' },
  );
  const isCurrent = words !== '' && settled === words;
  return {
    items: isCurrent ? (data?.data ?? []) : [],
    isPending: words !== '' && (!isCurrent || (data === undefined && error === null)),
  };
}

function byIds<Item>(api: Tollgate, of: Choosable<Item>, ids: string[], options: Call) {
  return of.list(api, { ids, limit: choicesMax }, options);
}

/** The newest may not be in the index yet. */
function fits({ id }: { id: string }, label: string, words: string): boolean {
  const wanted = words.toLowerCase();
  return id.toLowerCase().startsWith(wanted) || label.toLowerCase().includes(wanted);
}
