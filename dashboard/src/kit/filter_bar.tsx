import { CloseButton, Group, Popover, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { FilterFields } from './filter_fields.tsx';
import { type Filter, namesOf, type Search, shownValue } from './filters.ts';
import { Icon } from './icon.tsx';
import style from './list_page.module.css';

type BarProps = { filters: readonly Filter[]; search: Search; onChange(changed: Search): void };

/** The filters that are used most. The others are a click away, or there when they are set. */
export function FilterBar({ filters, search, onChange }: BarProps) {
  const [isWhole, setWhole] = useState(false);
  const isShown = (filter: Filter) => isWhole || !filter.isRare || shownValue(filter, search) !== undefined;
  const shown = filters.filter(isShown);
  return (
    <Group gap={6} role="group" aria-label="Filters">
      {shown.map((filter) => (
        <FilterButton key={filter.name} filter={filter} search={search} onChange={onChange} />
      ))}
      {shown.length < filters.length && (
        <UnstyledButton className={style.moreFilters} onClick={() => setWhole(true)}>
          More filters
        </UnstyledButton>
      )}
    </Group>
  );
}

type ButtonProps = { filter: Filter; search: Search; onChange(changed: Search): void };

function FilterButton({ filter, search, onChange }: ButtonProps) {
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
            {value !== undefined && (
              <strong className="truncated">{filter.kind === 'object' ? <filter.Name value={value} /> : value}</strong>
            )}
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
