import { Button, Group, Popover, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { dayOf } from '../../kit/days.ts';
import type { Search } from '../../kit/filters.ts';
import { Icon } from '../../kit/icon.tsx';
import style from './home.module.css';
import { rangeOf, rangeProblem, ranges } from './range.ts';

type BarProps = { search: Search; onChange(changed: Search): void };

/** Which time. It stands in the address. */
export function RangeBar({ search, onChange }: BarProps) {
  const range = rangeOf(search);
  return (
    <Group gap={8} role="group" aria-label="Range">
      <SegmentedControl
        size="xs"
        aria-label="Range"
        classNames={{ label: style.rangeName! }}
        value={typeof range === 'string' ? range : ''}
        onChange={(value) => onChange({ range: value, from: undefined, to: undefined })}
        data={Object.entries(ranges).map(([value, label]) => ({ value, label }))}
      />
      <ChosenRange
        chosen={typeof range === 'string' ? undefined : range}
        onChange={(chosen) => onChange({ ...chosen, range: undefined })}
      />
    </Group>
  );
}

type Chosen = { from: string; to: string };

function ChosenRange({ chosen, onChange }: { chosen: Chosen | undefined; onChange(chosen: Chosen): void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          size="xs"
          h={30}
          variant={chosen === undefined ? 'default' : 'light'}
          leftSection={<Icon name="clocks" size={14} />}
          onClick={() => setOpen(!isOpen)}
        >
          {chosen === undefined ? 'Custom range' : `${chosen.from} to ${chosen.to}`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Custom range">
        <DaysForm
          chosen={chosen}
          onApply={(days) => {
            onChange(days);
            setOpen(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function DaysForm({ chosen, onApply }: { chosen: Chosen | undefined; onApply(chosen: Chosen): void }) {
  const today = dayOf(Date.now() / 1_000);
  const [days, setDays] = useState<Chosen>(chosen ?? { from: `${today.slice(0, 8)}01`, to: today });
  const problem = rangeProblem(days.from, days.to);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem === undefined) onApply(days);
  };
  const field = (name: keyof Chosen, label: string) => (
    <TextInput
      size="xs"
      type="date"
      label={label}
      value={days[name]}
      max={today}
      error={name === 'to' && problem}
      onChange={(event) => setDays({ ...days, [name]: event.currentTarget.value })}
    />
  );
  return (
    <form onSubmit={submit}>
      <Stack gap="xs" w={220}>
        {field('from', 'From')}
        {field('to', 'To (inclusive)')}
        <Button type="submit" size="xs" disabled={problem !== undefined}>
          Show
        </Button>
      </Stack>
    </form>
  );
}
