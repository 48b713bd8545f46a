import { Button, CloseButton, Group, Popover, Radio, Stack, TextInput, UnstyledButton } from '@mantine/core';
import { useId, useState } from 'react';
import { choiceWords, type Filter, namesOf, type Search, shownValue } from './filters.ts';
import { Icon } from './icon.tsx';
import style from './list_page.module.css';

type BarProps = { filters: readonly Filter[]; search: Search; onChange(changed: Search): void };

export function FilterBar({ filters, search, onChange }: BarProps) {
  return (
    <Group gap={6} role="group" aria-label="Filters">
      {filters.map((filter) => (
        <FilterButton key={filter.name} filter={filter} search={search} onChange={onChange} />
      ))}
    </Group>
  );
}

function FilterButton({
  filter,
  search,
  onChange,
}: {
  filter: Filter;
  search: Search;
  onChange(changed: Search): void;
}) {
  const [isOpen, setOpen] = useState(false);
  const value = shownValue(filter, search);
  const clear = () => onChange(Object.fromEntries(namesOf(filter).map((name) => [name, undefined])));
  const apply = (changed: Search) => {
    onChange(changed);
    setOpen(false);
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" shadow="md" trapFocus returnFocus>
      <div className={value === undefined ? style.filter : style.filterSet}>
        <Popover.Target>
          <UnstyledButton onClick={() => setOpen(!isOpen)}>
            {value === undefined && <Icon name="plus" size={12} />}
            {filter.title}
            {value !== undefined && <strong className="truncated">{value}</strong>}
          </UnstyledButton>
        </Popover.Target>
        {value !== undefined && (
          <CloseButton size={24} iconSize={14} onClick={clear} aria-label={`Remove the filter ${filter.title}`} />
        )}
      </div>
      <Popover.Dropdown aria-label={`Filter by ${filter.title}`}>
        <FilterFields filter={filter} search={search} onApply={apply} />
      </Popover.Dropdown>
    </Popover>
  );
}

function FilterFields({ filter, search, onApply }: { filter: Filter; search: Search; onApply(changed: Search): void }) {
  const [draft, setDraft] = useState<Search>(() =>
    Object.fromEntries(namesOf(filter).map((name) => [name, search[name]])),
  );
  const listId = useId();
  const suggestions = filter.kind === 'text' ? (filter.suggestions ?? []) : [];
  const set = (name: string, value: string) => setDraft((before) => ({ ...before, [name]: value || undefined }));
  if (filter.kind === 'choice')
    return (
      <Radio.Group
        label={filter.title}
        value={search[filter.name] ?? ''}
        onChange={(value) => onApply({ [filter.name]: value })}
      >
        <Stack gap={8} mt={8}>
          {filter.choices.map((choice) => (
            <Radio key={choice} value={choice} label={choiceWords(filter, choice)} size="xs" />
          ))}
        </Stack>
      </Radio.Group>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onApply(draft);
      }}
    >
      <Stack gap="xs" w={220}>
        {namesOf(filter).map((name) => (
          <TextInput
            key={name}
            size="xs"
            type={filter.kind === 'days' ? 'date' : 'text'}
            label={labelOf(filter, name)}
            placeholder={filter.kind === 'text' ? filter.placeholder : undefined}
            list={suggestions.length > 0 ? listId : undefined}
            value={draft[name] ?? ''}
            onChange={(event) => set(name, event.currentTarget.value.trim())}
          />
        ))}
        {suggestions.length > 0 && (
          <datalist id={listId}>
            {suggestions.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        )}
        <Button type="submit" size="xs">
          Apply
        </Button>
      </Stack>
    </form>
  );
}

function labelOf(filter: Filter, name: string): string {
  if (filter.kind !== 'days') return filter.title;
  return name.endsWith('_from') ? `${filter.title} from` : `${filter.title} to`;
}
